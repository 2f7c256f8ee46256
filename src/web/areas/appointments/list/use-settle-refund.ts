import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SettleRefundBody } from '#contract/appointments/appointment-actions.ts'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import * as at from '#contract/operations/addresses.ts'
import { refreshAppointments } from '#web/kit/refresh-appointments.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'

const DONE = {
  retry: 'We’ve asked the payment provider again',
  by_hand: 'Recorded: you made the refund yourself',
} as const satisfies Record<SettleRefundBody['way'], string>

/** Settles an outstanding refund for a cancellation: retries it, or records that the owner has paid it. Source: rule Q10. */
export function useSettleRefund({ id, calendar_id }: Pick<AppointmentRow, 'id' | 'calendar_id'>) {
  const client = useQueryClient()
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (way: SettleRefundBody['way']) =>
      callApi(at.settleRefund, { params: { id: calendar_id, appointment_id: id }, body: { way } }),
    onSuccess: (_answer, way) => toast.success(DONE[way]),
    onError: (error) => toast.error(`Failed to update the refund: ${error.message}`),
    onSettled: () => refreshAppointments(client),
  })
  return { settle: mutate, running: isPending ? variables : undefined }
}
