import type { AcceptOfferResponse } from '#contract/waiting-list/waiting-list.ts'
import { saveBooking } from '#web/areas/appointments/bookings/saved-booking.ts'
import { paths } from '#web/shared/paths.ts'

/**
 * After an accepted waiting-list offer, opens the confirmation or the payment. Saves the token of the customer's page in this
 * tab, so that the confirmation can link to it, as after any booking. Source: rules B31 and R6.
 */
export async function openPageAfterAcceptance(accepted: AcceptOfferResponse): Promise<void> {
  if (accepted.outcome === 'pay') {
    // If the download fails, the customer can still pay. The email has the link, too.
    const payment = await import('#web/areas/appointments/bookings/payment-part.ts').catch(() => null)
    payment?.saveOfferLink(accepted.appointment_id, accepted.manage_token)
    location.assign(accepted.url)
    return
  }
  const { appointment } = accepted
  saveBooking(toConfirmation(appointment), { email: '', zone: null, link: appointment.manage_token })
  location.reload()
}

type Booked = Extract<AcceptOfferResponse, { outcome: 'booked' }>['appointment']

/** The path of the confirmation. On the calendar's own host it has no slug (rule J3); a redirect would lose the saved booking. */
function toConfirmation({ id, calendar_slug: slug, public_url }: Booked): string {
  const address = new URL(public_url)
  const isOnItsHost = address.host === location.host && address.pathname === '/'
  return isOnItsHost ? paths.confirmation(id) : paths.bookConfirmation(slug, id)
}
