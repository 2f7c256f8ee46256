import { useQueryClient } from '@tanstack/react-query'
import type { CreateBookingResponse } from '#contract/appointments/bookings.ts'
import * as at from '#contract/operations/addresses.ts'
import type { CreateCheckoutResponse } from '#contract/payments/checkouts.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { useBookingRequest } from '#web/shared/use-booking-request.ts'
import type { BookingDraft, SendBooking } from './booking-draft.ts'
import type { PaymentProviderName } from './payment-offer.ts'
import { releaseHold, restoreAfterProviderReturn, savePendingPayment } from './pending-payment.ts'
import { availableTimesKey } from './times-queries.ts'

/** Maximum time that the button stays pending while the provider's page loads, in milliseconds. Then it can be pressed again. */
const LEAVING_MS = 20_000

type Made = CreateBookingResponse | CreateCheckoutResponse

/** Returns a function that sends a booking to be paid through `provider`, or to be paid later if `provider` is null. */
export function useCheckout(slug: string): (provider: PaymentProviderName | null) => SendBooking {
  const client = useQueryClient()
  // Both ways to pay share the request state: a time may be taken because of our own earlier request, whose response was
  // lost.
  const request = useBookingRequest<Made>(keepsEarlier)
  const params = { slug }

  /** Opens the provider's page. Resolves when the customer presses Back, or is still on this page after `LEAVING_MS`. */
  const leave = async (
    { url, appointment_id, manage_token: link }: CreateCheckoutResponse,
    draft: BookingDraft,
  ) => {
    if (!url) {
      // If this request fails, the server releases the hold when it expires.
      await releaseHold(appointment_id).catch(() => null)
      throw new ApiProblem({
        code: 'payment.initiation_failed',
        status: 502,
        title: 'No checkout URL received',
      })
    }
    savePendingPayment({ appointment_id, slug, timestamp: Date.now() }, { draft, link })
    const isBack = new Promise((resolve) => addEventListener('pageshow', resolve, { once: true }))
    const isLate = new Promise((resolve) => setTimeout(resolve, LEAVING_MS, null))
    // Payment providers cannot be shown in an iframe, so replace the embedding page.
    open(url, '_top')
    if ((await Promise.race([isBack, isLate])) === null) return
    await restoreAfterProviderReturn(slug)
    await client.invalidateQueries({ queryKey: availableTimesKey(slug) })
  }

  return (provider) => async (body, draft) => {
    const made = await (provider === null
      ? request(body, (headers) => callApi(at.createAppointment, { params, headers, body }))
      : request({ ...body, provider }, (headers) =>
          callApi(at.createCheckout, { params, headers, body: { ...body, provider } }),
        ))
    if (!isCheckout(made)) return made
    await leave(made, draft)
    return null
  }
}

/**
 * Decides whether to keep the result of an earlier request whose response was lost. Keeps a booking. Releases a
 * checkout's hold, because the customer has changed the form since.
 */
async function keepsEarlier(earlier: Made): Promise<boolean> {
  if (!isCheckout(earlier)) return true
  await releaseHold(earlier.appointment_id)
  return false
}

function isCheckout(made: Made): made is CreateCheckoutResponse {
  return 'appointment_id' in made
}
