import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import type { BookingPageData } from '#contract/pages/page-data.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { callApi } from '#web/shared/call-api.ts'

/** The data that the booking page needs first. The HTML contains it; it is requested only if it is missing there. */
export function bookingPageQuery(slug: string, inlined: BookingPageData | null) {
  return queryOptions({
    queryKey: ['booking-page', slug],
    queryFn: async ({ signal }): Promise<BookingPageData> => ({
      ...(await loadBookingPage(slug, signal)),
      // Only the HTML contains this flag. Reusing it is safe, because it does not change while the server runs.
      sandbox: inlined?.sandbox ?? false,
    }),
    initialData: inlined ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
}

async function loadBookingPage(slug: string, signal: AbortSignal): Promise<Omit<BookingPageData, 'sandbox'>> {
  const type = new URLSearchParams(location.search).get('type')
  const call = { params: { slug }, signal }
  const linked = { ...call, query: { type } }
  try {
    const [calendar, types, providers, branding] = await Promise.all([
      callApi(at.getPublicCalendarBySlug, linked),
      callApi(at.getPublicAppointmentTypes, linked),
      callApi(at.getPublicPaymentProviders, call),
      callApi(at.getPublicBranding, call),
    ])
    return {
      calendar,
      appointment_types: types.appointment_types,
      payment_providers: providers,
      branding,
    }
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return NO_CALENDAR
    throw error
  }
}

const NO_CALENDAR: Omit<BookingPageData, 'sandbox'> = {
  calendar: null,
  appointment_types: [],
  payment_providers: { stripe_connected: false, paypal_connected: false, note: null },
  branding: null,
}
