import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AppointmentType } from '#contract/appointment-types.ts'
import { sendJson } from '#web/shared/api-client.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { appointmentTypesPath, appointmentTypesQuery } from './appointment-type-queries.ts'

type DeleteAppointmentTypeDialogProps = {
  type: AppointmentType
  open: boolean
  onOpenChange: (open: boolean) => void
}

/** Asks before an appointment type is deleted, and deletes it. Source: spec §2, §8 "Appointment types". */
export function DeleteAppointmentTypeDialog({ type, open, onOpenChange }: DeleteAppointmentTypeDialogProps) {
  const client = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => sendJson('DELETE', appointmentTypesPath(type.calendar_id, type.id)),
    onSuccess: () => {
      toast.success('Appointment type deleted successfully')
      onOpenChange(false)
    },
    onError: (error) => toast.error(`Failed to delete appointment type: ${error.message}`),
    onSettled: () => client.invalidateQueries({ queryKey: appointmentTypesQuery(type.calendar_id).queryKey }),
  })
  return (
    <ConfirmDialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete “${type.name}”?`}
      description="Are you sure you want to delete this appointment type?"
      confirmLabel="Delete"
      pendingLabel="Deleting..."
      pending={isPending}
      onConfirm={mutate}
      tone="danger"
    />
  )
}
