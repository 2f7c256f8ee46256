import { isolate } from '#core/shared/text.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { type WantedMove, whenOf } from './use-move.ts'

/** A move that customers are not offered, and what stands against it. */
export type MoveQuestionState = { readonly wanted: WantedMove; readonly sentence: string }

type MoveQuestionProps = {
  question: MoveQuestionState | null
  open: boolean
  pending: boolean
  onAnswer: (isYes: boolean) => void
}

/** Asks before an appointment is moved to a time that customers are not offered. */
export function MoveQuestion({ question, open, pending, onAnswer }: MoveQuestionProps) {
  if (question === null) return null
  const { wanted, sentence } = question
  const { customers, time_zone } = wanted.appointment
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={(next) => !next && onAnswer(false)}
      title="Move it anyway?"
      description={
        <>
          <span className="block font-semibold text-ink">
            {isolate(customers.name) || 'Unknown'}, {whenOf(wanted.startsAt, time_zone)}
          </span>
          {sentence}
        </>
      }
      confirmLabel="Move anyway"
      pendingLabel="Moving..."
      cancelLabel="Leave it where it was"
      pending={pending}
      onConfirm={() => onAnswer(true)}
    />
  )
}
