import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import type { AppointmentMessage } from '#contract/messages/messages.ts'
import { MESSAGE_KIND_LABELS } from '#contract/messages/messages.ts'
import * as at from '#contract/operations/addresses.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { refreshAppointments } from '#web/kit/refresh-appointments.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'

/**
 * Sends a message again. The request contains the number of the last attempt (`repeat`), so that a double click sends the
 * message only once. Source: rule M5.
 */
export function useResendMessage(
  appointment: Pick<AppointmentRow, 'id' | 'calendar_id'>,
  messageId: string | null,
) {
  const client = useQueryClient()
  const mutationKey = [OWNER_QUERY_KEY, 'send-again', messageId]
  const mutation = useMutation({
    mutationKey,
    mutationFn: ({ id, repeat }: AppointmentMessage) => {
      const params = {
        id: appointment.calendar_id,
        appointment_id: appointment.id,
        message_id: id ?? '',
      }
      return callApi(at.sendMessageAgain, { params, body: { repeat } })
    },
    onSuccess: ({ kind }) => toast.success(`${MESSAGE_KIND_LABELS[kind]} will be sent again`),
    onError: (error) => {
      const { code, message } = toProblem(error)
      if (code !== 'auth.required') toast.error(`Failed to send the message again: ${message}`)
    },
    onSettled: () => refreshAppointments(client),
  })
  /** Sends the message again. Does nothing while a request is running, so that a double click counts once. */
  const sendAgain = (message: AppointmentMessage) => {
    if (client.isMutating({ mutationKey }) === 0) mutation.mutate(message)
  }
  return { sendAgain, isPending: mutation.isPending }
}
