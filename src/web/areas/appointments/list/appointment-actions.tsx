import { useRef, useState } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import {
  type AppointmentAction,
  type AppointmentState,
  listPaymentActions,
  listStatusActions,
  needsConfirmation,
  type PaymentAction,
} from '#core/appointments/appointment-actions.ts'
import { wrapInBidiIsolates } from '#core/shared/text.ts'
import { formatShortDate, formatTime } from '#web/shared/format-date.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Menu } from '#web/ui/menu.tsx'
import {
  ACTION_LABELS,
  findActionConfirmation,
  hasRefundChoice,
  isDestructiveAction,
  listActionConsequences,
  toAppointmentState,
} from './action-labels.ts'
import { MoveDialog } from './move-dialog.tsx'
import { NoShowButton } from './no-show-button.tsx'
import { type ChosenRefund, RefundChoice } from './refund-choice.tsx'
import { useAppointmentAction } from './use-appointment-action.ts'
import { isMovable } from './use-move.ts'

/**
 * Lets the owner carry out the possible actions on an appointment. The most likely payment action has a button; the
 * others are in a menu. Source: rule A2.
 */
export function AppointmentActions({ appointment }: { appointment: AppointmentRow }) {
  const { act, running } = useAppointmentAction(appointment)
  const [asked, setAsked] = useState<AppointmentAction | null>(null)
  const [asking, setAsking] = useState(false)
  const [moves, setMoves] = useState(false)
  const group = useRef<HTMLFieldSetElement>(null)

  const state = toAppointmentState(appointment)
  const isPending = running !== undefined
  const payment = listPaymentActions(state)
  const shown = payment.filter((action) => payment.length === 1 || isExpected(action, state))
  const inMenu = payment.filter((action) => !shown.includes(action))
  const status = listStatusActions(state)
  const canMove = isMovable(appointment, Date.now())

  const run = (action: AppointmentAction, refundAmount?: number) =>
    act({ action, refundAmount }, () => {
      setAsking(false)
      // If the focused button has disappeared, focus the group of buttons.
      if (document.activeElement === document.body) group.current?.focus()
    })
  const choose = (action: AppointmentAction) => {
    if (!needsConfirmation(action, state)) return run(action)
    setAsked(action)
    setAsking(true)
  }

  const toButton = (action: AppointmentAction) => (
    <Button
      key={action}
      size="sm"
      disabled={isPending && running !== action}
      pending={running === action && !asking}
      pendingLabel={ACTION_LABELS[action].pending}
      onClick={() => choose(action)}
    >
      {ACTION_LABELS[action].label}
    </Button>
  )
  return (
    <fieldset
      ref={group}
      tabIndex={-1}
      aria-label="Actions"
      className="mt-1 flex min-w-0 flex-wrap gap-x-5 gap-y-2 outline-none"
    >
      {(status.length > 0 || canMove) && (
        <div className="flex flex-wrap gap-2">
          {canMove && (
            <Button size="sm" disabled={isPending} onClick={() => setMoves(true)}>
              Move
            </Button>
          )}
          {status.map(toButton)}
        </div>
      )}
      <MoveDialog appointment={appointment} open={moves} onOpenChange={setMoves} />
      <div className="flex flex-wrap gap-2">
        <NoShowButton appointment={appointment} />
        {shown.map(toButton)}
        {inMenu.length > 0 && (
          <Menu
            label="Payment"
            items={inMenu.map((id) => ({ id, label: ACTION_LABELS[id].label }))}
            onChoose={choose}
            disabled={isPending && !inMenu.some((action) => action === running)}
            pending={inMenu.some((action) => action === running) && !asking}
            pendingLabel="Updating..."
          />
        )}
      </div>
      {asked !== null && (
        <Question
          action={asked}
          appointment={appointment}
          // Keep the question open until all lists are refetched, because the next action is disabled until then.
          open={asking && (isPending || needsConfirmation(asked, state))}
          onOpenChange={setAsking}
          pending={isPending}
          onConfirm={(refundAmount) => run(asked, refundAmount)}
          // Focus the group if the appointment's new state has removed the pressed button.
          focusAfter={() => (needsConfirmation(asked, state) ? null : group.current)}
        />
      )}
    </fieldset>
  )
}

/** True for the most likely next action: marking a pending payment as paid. */
function isExpected(action: PaymentAction, { paymentStatus }: AppointmentState): boolean {
  return action === 'mark_paid' && paymentStatus === 'pending'
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
  // Keep the text during the closing animation, although the appointment has already changed.
  const [words, setWords] = useState<string[]>([])
  const [chosen, setChosen] = useState<ChosenRefund>(NOTHING_CHOSEN)
  const asksForRefund = isCancelling(action) && hasRefundChoice(appointment)
  const current = listActionConsequences(action, appointment, Date.now())
  if (open && current.join() !== words.join()) setWords(current)
  if (question === null) return null
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={question.title}
      description={
        <>
          <span className="block font-semibold text-ink">{nameOf(appointment)}</span>
          {words.join(' ')}
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
      {asksForRefund && <RefundChoice appointment={appointment} onChoose={setChosen} />}
    </ConfirmDialog>
  )
}

/** The state until the owner chooses a refund: the cancellation policy decides. */
const NOTHING_CHOSEN: ChosenRefund = { amount: undefined, isValid: true }

function isCancelling(action: AppointmentAction): boolean {
  return action === 'cancel' || action === 'approve_cancellation'
}

/** Names an appointment: `Ada Lovelace, Dec 1, 2026, 9:30 AM`. */
function nameOf({ customers, date, starts_at, time_zone }: AppointmentRow): string {
  return [
    wrapInBidiIsolates(customers.name) || 'Unknown',
    formatShortDate(date),
    formatTime(starts_at, time_zone),
  ].join(', ')
}
