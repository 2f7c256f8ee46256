import type { CustomerWaitingRequest } from '#contract/waiting-list/waiting-list.ts'
import { decidePaymentTerms } from '#core/payments/payment-terms.ts'
import { currentOfferState } from '#core/waiting-list/waiting-states.ts'
import { listPublicTypesOf } from '#server/areas/availability/appointment-types/use-cases.ts'
import { toSignedLink } from '#server/messages/emails/to-mail-facts.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { findAppointmentDetails } from '#server/records/appointments/details-repository.ts'
import { getOfferedPaymentProviders, getPublicCalendar } from '#server/records/calendars/use-cases.ts'
import type { WaitingActionsDeps } from './deps.ts'
import type { Offer } from './repository.ts'
import { getLinkedEntry, type LinkedWaitingEntry, toLastOfferDay } from './use-cases.ts'

type OfferView = NonNullable<CustomerWaitingRequest['offer']>

/**
 * Returns the page that an emailed link opens: the customer's own request and their offer. Source: rule Z9.
 * @throws ProblemError `waiting.not_found`
 */
export async function getWaitingView(
  deps: WaitingActionsDeps,
  token: string,
): Promise<CustomerWaitingRequest> {
  const linked = await getLinkedEntry(deps, token)
  const { entry, calendar, offer } = linked
  return {
    state: entry.state,
    calendar_name: calendar.name,
    calendar_color: calendar.color,
    calendar_slug: calendar.slug,
    customer_name: entry.customer_name,
    appointment_type_name: entry.appointment_type_name,
    from_date: entry.from_date,
    to_date: entry.to_date,
    weekdays: [...entry.weekdays],
    day_parts: [...entry.day_parts],
    valid_until: toLastOfferDay(entry),
    time_zone: entry.time_zone,
    hour_cycle: calendar.hour_cycle,
    customer_time_zone: entry.customer_time_zone ?? calendar.timezone,
    offer: offer === null ? null : await describeOffer(deps, linked, offer),
  }
}

/** Describes the state of an offer, its current price, and the ways to pay. */
async function describeOffer(
  deps: WaitingActionsDeps,
  { entry, calendar }: LinkedWaitingEntry,
  offer: Offer,
): Promise<OfferView> {
  const open = await getPublicCalendar(deps, calendar.slug)
  const types = await listPublicTypesOf(deps, open, entry.appointment_type_id)
  const type = types.find(({ id }) => id === entry.appointment_type_id)
  const ways = await getOfferedPaymentProviders(deps, calendar.id)
  const hasWay = ways.stripe_connected || ways.paypal_connected
  const price = type?.price ?? null
  const { mustPayFirst } = decidePaymentTerms({
    priceCents: price === null ? null : Math.round(price * 100),
    calendarRequiresPayment: open.payment_required,
    typeRequiresPayment: type?.payment_required ?? false,
    // True is enough here, because `hasWay` is already false when the owner takes no online payments.
    paymentEnabled: true,
    providerConnected: hasWay,
  })
  const isPayable = price !== null && price > 0 && hasWay
  return {
    state: currentOfferState(offer, deps.now()),
    starts_at: offer.starts_at.toISOString(),
    ends_at: offer.ends_at.toISOString(),
    expires_at: offer.expires_at.toISOString(),
    is_held: offer.held_appointment_id !== null,
    price,
    fee_note: type?.fee_note ?? null,
    policy_text: (type ?? open).policy_text,
    payment: mustPayFirst ? 'required' : isPayable ? 'optional' : 'none',
    providers: [
      ...(isPayable && ways.stripe_connected ? (['stripe'] as const) : []),
      ...(isPayable && ways.paypal_connected ? (['paypal'] as const) : []),
    ],
    ...(await describeBooked(deps, offer)),
  }
}

/** Describes the booking of an accepted offer. */
async function describeBooked(
  deps: WaitingActionsDeps,
  { state, booked_appointment_id: bookedAppointmentId }: Offer,
): Promise<Pick<OfferView, 'appointment_id' | 'manage_token' | 'pay_until'>> {
  const id = state === 'accepted' ? bookedAppointmentId : null
  const booked = id === null ? null : await findAppointmentDetails(deps.db, id)
  if (booked === null) return { appointment_id: id, manage_token: null, pay_until: null }
  return {
    appointment_id: id,
    manage_token: toFirstLink(deps, booked),
    pay_until: toPayUntil(booked, deps.now()),
  }
}

/** Returns the first link of a booking; null when it has been replaced. */
function toFirstLink(deps: WaitingActionsDeps, booked: Appointment): string | null {
  const { token, isReplaced } = toSignedLink(deps, booked)
  return isReplaced ? null : token
}

/** Returns when a hold for payment expires; null when no payment is awaited or the hold has expired. */
function toPayUntil(booked: Appointment, nowMs: number): string | null {
  const { status, released_at: releasedAt, hold_expires_at: until } = booked
  const isHeld = status === 'pending_payment' && releasedAt === null && until !== null
  return isHeld && until.getTime() > nowMs ? until.toISOString() : null
}
