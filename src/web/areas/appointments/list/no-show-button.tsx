import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import * as at from '#contract/operations/addresses.ts'
import { canMarkNoShow } from '#core/appointments/no-show.ts'
import { refreshAppointments } from '#web/kit/refresh-appointments.ts'
import { callApi } from '#web/shared/call-api.ts'
import { Button } from '#web/ui/button.tsx'
import { toast } from '#web/ui/toast.tsx'
import { toAppointmentState } from './action-labels.ts'

/** Lets the owner mark an appointment as a no-show, or remove the mark. Source: rule Q11. */
export function NoShowButton({ appointment }: { appointment: AppointmentRow }) {
  const client = useQueryClient()
  const { id, calendar_id, no_show } = appointment
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      callApi(at.markNoShow, {
        params: { id: calendar_id, appointment_id: id },
        body: { no_show: !no_show },
      }),
    onSuccess: ({ no_show: isMarked }) =>
      toast.success(isMarked ? 'Marked as a no-show. No money moves.' : 'No longer marked as a no-show'),
    onError: (error) => toast.error(`Failed to mark the appointment: ${error.message}`),
    onSettled: () => refreshAppointments(client),
  })
  const startsAtMs = Date.parse(appointment.starts_at)
  if (!no_show && !canMarkNoShow({ state: toAppointmentState(appointment), startsAtMs }, Date.now()))
    return null
  return (
    <Button size="sm" pending={isPending} pendingLabel="Updating..." onClick={() => mutate()}>
      {no_show ? 'Undo No-Show' : 'No-Show'}
    </Button>
  )
}
