import { useRef } from 'react'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import {
  type AppointmentAction,
  type AppointmentState,
  listPaymentActions,
  listStatusActions,
  type PaymentAction,
} from '#core/appointments/appointment-actions.ts'
import { RemoveTestButton } from '#web/kit/test-appointment.tsx'
import { Button } from '#web/ui/button.tsx'
import { Menu } from '#web/ui/menu.tsx'
import { ACTION_LABELS, toAppointmentState } from './action-labels.ts'
import { NoShowButton } from './no-show.tsx'
import { useAppointmentControls } from './use-appointment-controls.tsx'
import { isMovable } from './use-move.ts'

/**
 * Lets the owner carry out the possible actions on an appointment. The most likely payment action has a button; the
 * others are in a menu. Source: rule A2.
 */
export function AppointmentActions({ appointment }: { appointment: AppointmentRow }) {
  const group = useRef<HTMLFieldSetElement>(null)
  const { choose, openMove, running, isAsking, dialogs } = useAppointmentControls(
    appointment,
    () => group.current,
  )
  const state = toAppointmentState(appointment)
  const isPending = running !== undefined
  const payment = listPaymentActions(state)
  const shown = payment.filter((action) => payment.length === 1 || isExpected(action, state))
  const inMenu = payment.filter((action) => !shown.includes(action))
  const status = listStatusActions(state)
  const canMove = isMovable(appointment, Date.now())

  const toButton = (action: AppointmentAction) => (
    <Button
      key={action}
      size="sm"
      disabled={isPending && running !== action}
      pending={running === action && !isAsking}
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
      {appointment.is_test && <RemoveTestButton calendarId={appointment.calendar_id} size="sm" />}
      {(status.length > 0 || canMove) && (
        <div className="flex flex-wrap gap-2">
          {canMove && (
            <Button size="sm" disabled={isPending} onClick={openMove}>
              Move
            </Button>
          )}
          {status.map(toButton)}
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <NoShowButton appointment={appointment} />
        {shown.map(toButton)}
        {inMenu.length > 0 && (
          <Menu
            label="Payment"
            items={inMenu.map((id) => ({ id, label: ACTION_LABELS[id].label }))}
            onChoose={choose}
            disabled={isPending && !inMenu.some((action) => action === running)}
            pending={inMenu.some((action) => action === running) && !isAsking}
            pendingLabel="Updating..."
          />
        )}
      </div>
      {dialogs}
    </fieldset>
  )
}

/** True for the most likely next action: marking a pending payment as paid. */
function isExpected(action: PaymentAction, { paymentStatus }: AppointmentState): boolean {
  return action === 'mark_paid' && paymentStatus === 'pending'
}
