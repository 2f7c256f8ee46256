import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import {
  type AppointmentAction,
  decideAction,
  listPaymentActions,
  listStatusActions,
} from '#core/appointments/appointment-actions.ts'
import { Button } from '#web/ui/button.tsx'
import { Ellipsis } from '#web/ui/icons/ellipsis.ts'
import { Menu } from '#web/ui/menu.tsx'
import { ACTION_LABELS, toAppointmentState } from './action-labels.ts'
import { useNoShow } from './no-show.tsx'
import { useAppointmentControls } from './use-appointment-controls.tsx'
import { isMovable } from './use-move.ts'

type RowActionsProps = {
  appointment: AppointmentRow
  /** Opens the details of the appointment. */
  onOpen: () => void
  /** Returns the element that gets the focus when an action has removed the pressed button. */
  findNextFocus: () => HTMLElement | null
}

/** The likely next action of a compact row, where the row is wide enough, and a menu with all actions. Source: rule A2. */
export function RowActions({ appointment, onOpen, findNextFocus }: RowActionsProps) {
  const { choose, openMove, running, isAsking, dialogs } = useAppointmentControls(appointment, findNextFocus)
  const noShow = useNoShow(appointment)
  const state = toAppointmentState(appointment)
  const canMove = isMovable(appointment, Date.now())
  const likely = findLikelyAction(appointment, canMove)
  const isPending = running !== undefined || noShow?.isPending === true
  const name = appointment.customers.name || 'Unknown'
  const start = (action: RowAction) => {
    if (action === 'open') onOpen()
    else if (action === 'move') openMove()
    else if (action === 'no_show') noShow?.toggle()
    else choose(action)
  }
  const items: { id: RowAction; label: string }[] = [
    ...(canMove ? [{ id: 'move' as const, label: 'Move' }] : []),
    ...[...listStatusActions(state), ...listPaymentActions(state)].map((id) => ({
      id,
      label: ACTION_LABELS[id].label,
    })),
    ...(noShow === null ? [] : [{ id: 'no_show' as const, label: noShow.label }]),
  ]
  return (
    <>
      {likely !== null && (
        <Button
          size="sm"
          className="w-32 px-2! whitespace-nowrap @max-[40rem]:hidden"
          aria-label={`${labelOf(likely)}: ${name}`}
          disabled={isPending && running !== likely}
          pending={running === likely && !isAsking}
          onClick={() => start(likely)}
        >
          {labelOf(likely)}
        </Button>
      )}
      <Menu
        label={`Actions for ${name}`}
        icon={<Ellipsis aria-hidden="true" className="size-5" />}
        items={items}
        onChoose={start}
        pending={isPending && running !== likely && !isAsking}
      />
      {dialogs}
    </>
  )
}

/** `open` opens the details, where the owner decides about a request to cancel. */
type RowAction = AppointmentAction | 'move' | 'no_show' | 'open'

/** Returns the action that the appointment's state makes likely; null if nothing is left to do. */
function findLikelyAction(appointment: AppointmentRow, canMove: boolean): RowAction | null {
  const state = toAppointmentState(appointment)
  if (appointment.status === 'pending_cancellation') return 'open'
  if (decideAction('confirm', state).ok) return 'confirm'
  if (decideAction('restore', state).ok) return 'restore'
  if (appointment.payment_status === 'pending') return 'mark_paid'
  return canMove ? 'move' : null
}

function labelOf(action: RowAction): string {
  if (action === 'open') return 'Review'
  if (action === 'move') return 'Move'
  return action === 'no_show' ? 'No-show' : ACTION_LABELS[action].label
}
