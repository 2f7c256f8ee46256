import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import * as at from '#contract/operations/addresses.ts'
import { canMarkNoShow } from '#core/appointments/no-show.ts'
import { refreshAppointments } from '#web/kit/refresh-appointments.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { toAppointmentState } from './action-labels.ts'

/** Lets the owner mark an appointment as a no-show, or remove the mark. Null while neither is possible. Source: rule Q11. */
export function useNoShow(appointment: AppointmentRow) {
  const client = useQueryClient()
  const { id, calendar_id, no_show } = appointment
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      callApi(at.markNoShow, {
        params: { id: calendar_id, appointment_id: id },
        body: { no_show: !no_show },
      }),
    onSuccess: ({ no_show: isMarked }) =>
      toast.success(
        isMarked ? 'Marked as a no-show. The payment stays as it is.' : 'No longer marked as a no-show',
      ),
    onError: (error) => toast.error(`Failed to mark the appointment: ${error.message}`),
    onSettled: () => refreshAppointments(client),
  })
  const startsAtMs = Date.parse(appointment.starts_at)
  const canMark = canMarkNoShow({ state: toAppointmentState(appointment), startsAtMs }, Date.now())
  if (!no_show && !canMark) return null
  return { label: no_show ? 'Undo no-show' : 'No-show', toggle: () => mutate(), isPending }
}

/** The button for `useNoShow`. */
export function NoShowButton({ appointment }: { appointment: AppointmentRow }) {
  const noShow = useNoShow(appointment)
  if (noShow === null) return null
  return (
    <Button size="sm" pending={noShow.isPending} pendingLabel="Updating..." onClick={noShow.toggle}>
      {noShow.label}
    </Button>
  )
}
