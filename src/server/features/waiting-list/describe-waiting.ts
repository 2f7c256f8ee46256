import type { WaitingView } from '#contract/waiting.ts'
import { decidePaymentTerms } from '#core/booking/payment-terms.ts'
import { presentState } from '#core/waiting/waiting-states.ts'
import { listPublicTypesOf } from '#server/features/appointment-types/use-cases.ts'
import { findAppointmentDetails } from '#server/features/appointments/details-repository.ts'
import { toStatedLink } from '#server/features/appointments/to-mail-facts.ts'
import { getPaymentProvidersOf, getPublicCalendar } from '#server/features/calendars/use-cases.ts'
import type { WaitingActionsDeps } from './deps.ts'
import type { Offer } from './repository.ts'
import { getLinked, type Linked, toLastDay } from './use-cases.ts'

/**
 * What whoever has the link of an email sees: their own request and their own offer. Source: rule Z9.
 * @throws ProblemError `waiting.not_found`
 */
export async function describeWaiting(deps: WaitingActionsDeps, token: string): Promise<WaitingView> {
  const linked = await getLinked(deps, token)
  const { entry, calendar, offer } = linked
  return {
    state: entry.state,
    calendar_name: calendar.name,
    calendar_color: calendar.color,
    calendar_slug: calendar.slug,
    customer_name: entry.customer.name,
    appointment_type_name: entry.typeName,
    from_date: entry.fromDate,
    to_date: entry.toDate,
    weekdays: [...entry.weekdays],
    day_parts: [...entry.dayParts],
    valid_until: toLastDay(entry),
    time_zone: entry.timeZone,
    customer_time_zone: entry.customer.timeZone ?? calendar.timeZone,
    offer: offer === null ? null : await describeOffer(deps, linked, offer),
  }
}

/** How an offer stands, what it costs now, and how it can be paid. */
async function describeOffer(
  deps: WaitingActionsDeps,
  { entry, calendar }: Linked,
  offer: Offer,
): Promise<NonNullable<WaitingView['offer']>> {
  const open = await getPublicCalendar(deps, calendar.slug)
  const types = await listPublicTypesOf(deps, open)
  const type = types.find(({ id }) => id === entry.typeId)
  const ways = await getPaymentProvidersOf(deps, calendar.id)
  const hasWay = ways.stripe_connected || ways.paypal_connected
  const price = type?.price ?? null
  const { mustPayFirst } = decidePaymentTerms({
    priceCents: price === null ? null : Math.round(price * 100),
    calendarRequiresPayment: open.payment_required,
    typeRequiresPayment: type?.payment_required ?? false,
    // `hasWay` is false when the owner takes no payments online, so it need not be asked again.
    paymentEnabled: true,
    providerConnected: hasWay,
  })
  const bookedId = offer.state === 'accepted' ? offer.bookedAppointmentId : null
  const isPayable = price !== null && price > 0 && hasWay
  return {
    state: presentState(offer, deps.now()),
    starts_at: offer.startsAt.toISOString(),
    ends_at: offer.endsAt.toISOString(),
    expires_at: offer.expiresAt.toISOString(),
    is_held: offer.heldAppointmentId !== null,
    price,
    policy_text: (type ?? open).policy_text,
    payment: mustPayFirst ? 'required' : isPayable ? 'optional' : 'none',
    providers: [
      ...(isPayable && ways.stripe_connected ? (['stripe'] as const) : []),
      ...(isPayable && ways.paypal_connected ? (['paypal'] as const) : []),
    ],
    appointment_id: bookedId,
    manage_token: bookedId === null ? null : await findFirstLink(deps, bookedId),
  }
}

/** The link that a booking has had from its beginning; null when it was replaced, or the booking is gone. */
async function findFirstLink(deps: WaitingActionsDeps, appointmentId: string): Promise<string | null> {
  const details = await findAppointmentDetails(deps.db, appointmentId)
  if (details === null) return null
  const { token, isReplaced } = toStatedLink(deps, details)
  return isReplaced ? null : token
}
