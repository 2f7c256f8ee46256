import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import type { PaymentOutcome } from '#contract/payments/checkouts.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'

/** How often the question is repeated while there is no answer, and the pause between. Source: rule B23. */
const RETRIES = 3
const RETRY_MS = 2_000

/**
 * The state of the payment of an appointment. The question also settles it, so that nobody waits for the provider's
 * event.
 */
export function paymentQuery(appointmentId: string) {
  return queryOptions({
    queryKey: ['payment', appointmentId],
    queryFn: () => askUntilSettled(appointmentId),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** Asks until the payment is settled. After the last retry it returns the last answer. @throws ApiProblem */
async function askUntilSettled(appointmentId: string): Promise<PaymentOutcome> {
  for (let retries = 0; ; retries += 1) {
    const isLast = retries === RETRIES
    try {
      const outcome = await callApi(at.settlePayment, { params: { id: appointmentId } })
      if (isLast || isSettled(outcome)) return outcome
    } catch (error) {
      if (isLast || isRefusal(error)) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

function isSettled({ payment }: PaymentOutcome): boolean {
  return payment !== 'open' && payment !== 'processing'
}

/** Asked again, it would be refused again. */
export function isRefusal(error: unknown): boolean {
  return error instanceof ApiProblem && error.status >= 400 && error.status < 500
}
