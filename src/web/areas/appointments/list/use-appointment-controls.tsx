import { type ReactNode, useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { type AppointmentAction, needsConfirmation } from '#core/appointments/appointment-actions.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { formatShortDate, formatTime } from '#web/shared/format-date.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import {
  ACTION_LABELS,
  findActionConfirmation,
  hasRefundChoice,
  isDestructiveAction,
  listActionConsequences,
  toAppointmentState,
} from './action-labels.ts'
import { MoveDialog } from './move-dialog.tsx'
import { type ChosenRefund, RefundChoice } from './refund-choice.tsx'
import { useAppointmentAction } from './use-appointment-action.ts'

type AppointmentControls = {
  /** Carries out an action, after a question where the action needs one. */
  readonly choose: (action: AppointmentAction) => void
  readonly openMove: () => void
  /** The action that is being carried out. */
  readonly running: AppointmentAction | undefined
  /** True while a question is open. Its own button then shows the progress. */
  readonly isAsking: boolean
  /** The dialogs that the actions open. The caller renders them beside its buttons. */
  readonly dialogs: ReactNode
}

/**
 * Lets a component carry out the actions on an appointment. `findNextFocus` returns the element that gets the focus when an
 * action has removed the pressed button.
 */
export function useAppointmentControls(
  appointment: AppointmentRow,
  findNextFocus: () => HTMLElement | null,
): AppointmentControls {
  const { act, running } = useAppointmentAction(appointment)
  const [asked, setAsked] = useState<AppointmentAction | null>(null)
  const [isAsking, setAsking] = useState(false)
  const [isMoving, setMoving] = useState(false)
  const state = toAppointmentState(appointment)

  const run = (action: AppointmentAction, refundAmount?: number) =>
    act({ action, refundAmount }, () => {
      setAsking(false)
      if (document.activeElement === document.body) findNextFocus()?.focus()
    })
  const choose = (action: AppointmentAction) => {
    if (!needsConfirmation(action, state)) return run(action)
    setAsked(action)
    setAsking(true)
  }
  const dialogs = (
    <>
      <MoveDialog appointment={appointment} open={isMoving} onOpenChange={setMoving} />
      {asked !== null && (
        <Question
          action={asked}
          appointment={appointment}
          // Keep the question open until all lists are refetched, because the next action is disabled until then.
          open={isAsking && (running !== undefined || needsConfirmation(asked, state))}
          onOpenChange={setAsking}
          pending={running !== undefined}
          onConfirm={(refundAmount) => run(asked, refundAmount)}
          focusAfter={() => (needsConfirmation(asked, state) ? null : findNextFocus())}
        />
      )}
    </>
  )
  return { choose, openMove: () => setMoving(true), running, isAsking, dialogs }
}

type QuestionProps = {
  action: AppointmentAction
  appointment: AppointmentRow
  open: boolean
  onOpenChange: (open: boolean) => void
  pending: boolean
  onConfirm: (refundAmount?: number) => void
  focusAfter: () => HTMLElement | null
}

/** The confirmation dialog of an action, which describes the action's effects. */
function Question({
  action,
  appointment,
  open,
  onOpenChange,
  pending,
  onConfirm,
  focusAfter,
}: QuestionProps) {
  const question = findActionConfirmation(action)
  // Keep the text while the action runs and during the closing animation, although the appointment has changed by then.
  const [shown, setShown] = useState(appointment)
  if (open && !pending && shown !== appointment) setShown(appointment)
  const [chosen, setChosen] = useState<ChosenRefund>(NOTHING_CHOSEN)
  const asksForRefund = isCancelling(action) && hasRefundChoice(shown)
  if (question === null) return null
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={question.title}
      description={
        <>
          <span className="block font-semibold text-ink">{nameOf(shown)}</span>
          {listActionConsequences(action, shown, Date.now()).join(' ')}
        </>
      }
      confirmLabel={question.confirm}
      pendingLabel={ACTION_LABELS[action].pending}
      cancelLabel={question.back}
      pending={pending}
      onConfirm={() =>
        (!asksForRefund || chosen.isValid) && onConfirm(asksForRefund ? chosen.amount : undefined)
      }
      tone={isDestructiveAction(action) ? 'danger' : undefined}
      focusAfter={focusAfter}
    >
      {asksForRefund && <RefundChoice appointment={shown} onChoose={setChosen} />}
    </ConfirmDialog>
  )
}

/** The state until the owner chooses a refund: the cancellation policy decides. */
const NOTHING_CHOSEN: ChosenRefund = { amount: undefined, isValid: true }

function isCancelling(action: AppointmentAction): boolean {
  return action === 'cancel' || action === 'approve_cancellation'
}

/** Names an appointment: `Ada Lovelace, Dec 1, 2026, 9:30 AM`. */
function nameOf({ customers, date, starts_at, time_zone, hour_cycle }: AppointmentRow): string {
  return [
    wrapInBidiIsolates(customers.name) || 'Unknown',
    formatShortDate(date),
    formatTime(starts_at, time_zone, hour_cycle),
  ].join(', ')
}
