import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AppointmentActionResponse } from '#contract/appointments/appointment-actions.ts'
import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import * as at from '#contract/operations/addresses.ts'
import type { AppointmentAction } from '#core/appointments/appointment-actions.ts'
import { describeAction, isPaymentAction } from '#core/appointments/describe-action.ts'
import { refreshOwnerFreeTimes } from '#web/kit/own-times.ts'
import { OWNER_QUERY_KEY } from '#web/kit/owner-key.ts'
import { refreshAppointments } from '#web/kit/refresh-appointments.ts'
import { toProblem } from '#web/kit/show-problem.ts'
import { callApi } from '#web/shared/call-api.ts'
import { toast } from '#web/ui/toast.tsx'

/** A requested action. `refundAmount`: the refund for a cancellation; if undefined, the policy decides. */
type WantedAction = { readonly action: AppointmentAction; readonly refundAmount?: number | undefined }

/** The actions that the server refuses if the appointment has been moved since it was loaded. */
const ENDS_APPOINTMENT: ReadonlySet<AppointmentAction> = new Set(['cancel', 'approve_cancellation'])

/** Duration of toasts with several lines, in milliseconds. */
const LONG_TOAST_MS = 10_000

/** Carries out actions on an appointment and shows the result as a toast. Pending until the lists have been refetched. */
export function useAppointmentAction(appointment: AppointmentRow) {
  const { id, calendar_id, status, payment_status, starts_at } = appointment
  const client = useQueryClient()
  const mutationKey = [OWNER_QUERY_KEY, 'appointment-action', id]
  const mutation = useMutation({
    mutationKey,
    mutationFn: ({ action, refundAmount }: WantedAction) => {
      const params = { id: calendar_id, appointment_id: id }
      const refund = refundAmount === undefined ? {} : { refund_amount: refundAmount }
      return callApi(at.actOnAppointment, {
        params,
        body: {
          action,
          was: { status, payment_status, ...(ENDS_APPOINTMENT.has(action) && { starts_at }) },
          ...refund,
        },
      })
    },
    onSuccess: (response, { action }) => showResult(action, response),
    onError: (error, { action }) => {
      const text = describeFailure(action, error)
      if (text !== null) toast.error(text)
    },
    onSettled: () => Promise.all([refreshAppointments(client), refreshOwnerFreeTimes(client)]),
  })
  /** Carries out an action. Does nothing while another action is running, so that a double click counts once. */
  const act = (wanted: WantedAction, onSuccess: () => void) => {
    if (client.isMutating({ mutationKey }) === 0) mutation.mutate(wanted, { onSuccess })
  }
  return { act, running: mutation.isPending ? mutation.variables.action : undefined }
}

/** Shows the result as a toast, which is a warning if the email failed or the owner has to do something. */
function showResult(
  action: AppointmentAction,
  { announced, email, warning }: AppointmentActionResponse,
): void {
  const { text, detail } = describeAction(action, announced, email)
  const details = [detail, warning].filter((line) => line !== null)
  const say = email === 'failed' || warning !== null ? toast.warning : toast.success
  say(text, details.length === 0 ? {} : { details, durationMs: LONG_TOAST_MS })
}

/** Returns the error message; null if the session has expired, because the login page explains that. Source: rule A15. */
function describeFailure(action: AppointmentAction, error: Error): string | null {
  const { code, status, message, errors } = toProblem(error)
  if (code === 'auth.required') return null
  // Add the server's detail, which names the conflicting appointment on the person's other calendar. Source: rule T43.
  if (code === 'appointment.restore_conflict') return [message, errors[0]?.message].filter(Boolean).join('. ')
  // Add the payment provider's message.
  if (code === 'appointment.refund_failed' && errors[0] !== undefined) {
    return `Failed to update payment status: ${message} (${errors[0].message})`
  }
  if (action === 'restore' && (status === 0 || status >= 500)) return 'Could not verify appointment conflicts'
  return isPaymentAction(action)
    ? `Failed to update payment status: ${message}`
    : `Failed to update appointment: ${message}`
}
