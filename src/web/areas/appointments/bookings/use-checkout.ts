import { useQueryClient } from '@tanstack/react-query'
import type { CreateBookingResponse } from '#contract/appointments/bookings.ts'
import * as at from '#contract/operations/addresses.ts'
import type { CreateCheckoutResponse } from '#contract/payments/checkouts.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'
import { useBookingRequest } from '#web/shared/use-booking-request.ts'
import type { BookingDraft } from './booking-draft.ts'
import type { Provider } from './payment-offer.ts'
import { comeBack, giveBack, rememberPayment } from './pending-payment.ts'
import type { SendBooking } from './send-booking.ts'
import { timesKey } from './times-queries.ts'

/** How long the page stays busy while the provider's page loads; then the customer may press again. */
const LEAVING_MS = 20_000

type Made = CreateBookingResponse | CreateCheckoutResponse

/** Sends a booking that costs money: to be paid at a provider, or later when `provider` is null. */
export function useCheckout(slug: string): (provider: Provider | null) => SendBooking {
  const client = useQueryClient()
  // One for both: a booking whose answer was lost may be why the time is taken, whichever way to pay is chosen now.
  const request = useBookingRequest<Made>(keepsEarlier)
  const params = { slug }

  /** Goes to the provider's page. Resolves when the customer is back by the Back button, or still here after all. */
  const leave = async (
    { url, appointment_id, manage_token: link }: CreateCheckoutResponse,
    draft: BookingDraft,
  ) => {
    if (!url) {
      // The server ends the hold by itself when this does not reach it.
      await giveBack(appointment_id).catch(() => null)
      throw new ApiProblem({
        code: 'payment.initiation_failed',
        status: 502,
        title: 'No checkout URL received',
      })
    }
    rememberPayment({ appointment_id, slug, timestamp: Date.now() }, { draft, link })
    const isBack = new Promise((resolve) => addEventListener('pageshow', resolve, { once: true }))
    const isLate = new Promise((resolve) => setTimeout(resolve, LEAVING_MS, null))
    // A provider's page may not be shown in a frame, so it takes the place of the page around this one.
    open(url, '_top')
    if ((await Promise.race([isBack, isLate])) === null) return
    await comeBack(slug)
    await client.invalidateQueries({ queryKey: timesKey(slug) })
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

/** A booking whose answer was lost stands. A checkout whose answer was lost is given back: the customer has changed the booking since. */
async function keepsEarlier(earlier: Made): Promise<boolean> {
  if (!isCheckout(earlier)) return true
  await giveBack(earlier.appointment_id)
  return false
}

function isCheckout(made: Made): made is CreateCheckoutResponse {
  return 'appointment_id' in made
}
