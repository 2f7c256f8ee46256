import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { formatStart, type RequestedMove, toShownClock } from './use-move.ts'

/** A move that the owner has to confirm, and a sentence with the reason. */
export type PendingMove = { readonly wanted: RequestedMove; readonly sentence: string }

type MoveConfirmationProps = {
  question: PendingMove | null
  /** The time zone of the page. */
  shownZone: string
  open: boolean
  pending: boolean
  onAnswer: (isYes: boolean) => void
}

/** Asks the owner for confirmation before an appointment is moved to a time that customers are not offered. */
export function MoveConfirmation({ question, shownZone, open, pending, onAnswer }: MoveConfirmationProps) {
  if (question === null) return null
  const { wanted, sentence } = question
  const { appointment, startsAt } = wanted
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onAnswer(false)}
      title="Move it anyway?"
      description={
        <>
          <span className="block font-semibold text-ink">
            {wrapInBidiIsolates(appointment.customers.name) || 'Unknown'},{' '}
            {formatStart(startsAt, toShownClock(appointment, shownZone))}
          </span>
          {sentence}
        </>
      }
      confirmLabel="Move anyway"
      pendingLabel="Moving..."
      cancelLabel="Keep the old time"
      pending={pending}
      onConfirm={() => onAnswer(true)}
    />
  )
}
