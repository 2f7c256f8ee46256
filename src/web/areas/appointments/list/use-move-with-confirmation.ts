import { useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { toast } from '#web/ui/toast.tsx'
import { isSeat } from './group-sessions.ts'
import type { PendingMove } from './move-confirmation.tsx'
import { type RequestedMove, useMoveAppointment } from './use-move.ts'

/** A move that awaits the owner's confirmation. */
type Asked = PendingMove & { readonly onAnswered: () => void }

/**
 * Moves a dropped appointment on a page in `shownZone`. Asks the owner for confirmation if needed, and shows the reason if the
 * move is refused.
 */
export function useMoveWithConfirmation(shownZone: string) {
  const { move, isPending } = useMoveAppointment(shownZone)
  // Not cleared when the dialog closes, so that the text stays during the closing animation.
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isOpen, setOpen] = useState(false)

  const moveOrAsk = async (appointment: AppointmentRow, startsAt: string) => {
    const isWholeSession = isSeat(appointment)
    const wanted: RequestedMove = { appointment, startsAt, anyway: false, notify: true, isWholeSession }
    const outcome = await move(wanted)
    if (outcome.kind === 'refused') toast.error(outcome.sentence)
    if (outcome.kind !== 'question') return
    await new Promise<void>((onAnswered) => {
      setAsked({ wanted, sentence: outcome.sentence, onAnswered })
      setOpen(true)
    })
  }
  const answer = async (isYes: boolean) => {
    if (asked === null) return
    if (isYes) {
      const outcome = await move({ ...asked.wanted, anyway: true })
      if (outcome.kind !== 'moved') toast.error(outcome.sentence)
    }
    setOpen(false)
    asked.onAnswered()
  }
  return {
    move: moveOrAsk,
    confirmation: { question: asked, shownZone, open: isOpen, pending: isPending, onAnswer: answer },
  }
}
