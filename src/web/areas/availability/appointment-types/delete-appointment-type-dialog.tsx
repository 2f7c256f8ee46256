import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import * as at from '#contract/operations/addresses.ts'
import { refreshAppointmentTypes } from '#web/kit/appointment-types-query.ts'
import { callApi } from '#web/shared/call-api.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { appointmentTypeUsageQuery } from './appointment-type-queries.ts'

type DeleteAppointmentTypeDialogProps = {
  type: AppointmentType
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks the owner to confirm before an appointment type is deleted. Source: rule C15. */
export function DeleteAppointmentTypeDialog({ type, open, onOpenChange }: DeleteAppointmentTypeDialogProps) {
  const client = useQueryClient()
  const usage = useQuery({ ...appointmentTypeUsageQuery(type.calendar_id, type.id), enabled: open })
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      callApi(at.deleteAppointmentType, { params: { id: type.calendar_id, type_id: type.id } }),
    onSuccess: () => {
      toast.success('Appointment type deleted successfully')
      onOpenChange(false)
    },
    onError: (error) => toast.error(`Failed to delete appointment type: ${error.message}`),
    onSettled: () => refreshAppointmentTypes(client, type.calendar_id),
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete “${type.name}”?`}
      description={
        <>
          <span className="block">Are you sure you want to delete this appointment type?</span>
          <span className="mt-2 block">{toSentence(usage)}</span>
        </>
      }
      confirmLabel="Delete"
      pendingLabel="Deleting..."
      pending={isPending}
      onConfirm={mutate}
      tone="danger"
    />
  )
}

type Usage = { data?: { future_appointments: number } | undefined; isError: boolean; isFetching: boolean }

/** Explains that booked appointments of the type stay unchanged. Source: rule C15. */
function toSentence({ data, isError, isFetching }: Usage): string {
  if (isFetching) return 'Counting its appointments...'
  if (isError || data === undefined) return 'Its appointments stay as booked.'
  const count = data.future_appointments
  if (count === 0) return 'It has no future appointments.'
  return count === 1
    ? 'Its future appointment stays as booked.'
    : `Its ${count} future appointments stay as booked.`
}
