import { useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { toast } from '#web/ui/toast.tsx'
import type { MoveQuestionState } from './move-question.tsx'
import { useMove, type WantedMove } from './use-move.ts'

/** A question on the screen, and what its answer settles. */
type Asked = MoveQuestionState & { readonly onAnswered: () => void }

/** Moves an appointment that was put down somewhere: asks where the owner is to be asked, and says why it stays. */
export function useAskedMove(calendarId: string) {
  const { move, isPending } = useMove(calendarId)
  // It stays while its dialog closes.
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isOpen, setOpen] = useState(false)

  const put = async (appointment: AppointmentRow, startsAt: string) => {
    const wanted: WantedMove = { appointment, startsAt, anyway: false, notify: true }
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
  return { put, question: { question: asked, open: isOpen, pending: isPending, onAnswer: answer } }
}
