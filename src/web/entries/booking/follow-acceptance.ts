import type { AcceptOfferResponse } from '#contract/waiting-list/waiting-list.ts'
import { saveBooking } from '#web/areas/appointments/bookings/saved-booking.ts'
import { paths } from '#web/shared/paths.ts'

/**
 * Goes on after an offer of the waiting list was accepted, to its confirmation or to the payment. The confirmation leads to the
 * customer's page, as after any booking: this tab keeps its link.
 * Source: rules B31 and R6.
 */
export async function followAcceptance(accepted: AcceptOfferResponse): Promise<void> {
  if (accepted.outcome === 'pay') {
    // Without it the customer pays all the same: the email has the link, too.
    const payment = await import('#web/areas/appointments/bookings/payment-part.ts').catch(() => null)
    payment?.rememberOffer(accepted.appointment_id, accepted.manage_token)
    location.assign(accepted.url)
    return
  }
  const { appointment } = accepted
  saveBooking(toConfirmation(appointment), { email: '', zone: null, link: appointment.manage_token })
  location.reload()
}

type Booked = Extract<AcceptOfferResponse, { outcome: 'booked' }>['appointment']

/** On a host of its own the calendar is not in the address (rule J3). A redirect would lose what the tab knows. */
function toConfirmation({ id, calendar_slug: slug, public_url }: Booked): string {
  const address = new URL(public_url)
  const isOnItsHost = address.host === location.host && address.pathname === '/'
  return isOnItsHost ? paths.confirmation(id) : paths.bookConfirmation(slug, id)
}
