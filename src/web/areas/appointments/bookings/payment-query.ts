import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import type { PaymentState } from '#contract/payments/checkouts.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Maximum number of retries while a payment is unsettled, and the pause between them. Source: rule B23. */
const RETRIES = 3
const RETRY_MS = 2_000

/**
 * The payment state of an appointment. The request also makes the server check with the payment provider, so that the
 * customer does not have to wait for the provider's webhook.
 */
export function paymentStateQuery(appointmentId: string) {
  return queryOptions({
    queryKey: ['payment', appointmentId],
    queryFn: () => pollUntilSettled(appointmentId),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Polls until the payment is settled. After the last retry, returns the last response. @throws ApiProblem */
async function pollUntilSettled(appointmentId: string): Promise<PaymentState> {
  for (let retries = 0; ; retries += 1) {
    const isLast = retries === RETRIES
    try {
      const outcome = await callApi(at.settlePayment, { params: { id: appointmentId } })
      if (isLast || isSettled(outcome)) return outcome
    } catch (error) {
      if (isLast || isClientError(error)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

function isSettled({ payment }: PaymentState): boolean {
  return payment !== 'open' && payment !== 'processing'
}

/** True if the server has refused the request (status 4xx), so that a retry would be pointless. */
export function isClientError(error: unknown): boolean {
  return error instanceof ApiProblem && error.status >= 400 && error.status < 500
}
