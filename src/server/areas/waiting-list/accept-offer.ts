import type { z } from 'zod'
import type { ProblemCode } from '#contract/shared/problem.ts'
import type { AcceptOfferResponse, acceptOfferBody } from '#contract/waiting-list/waiting-list.ts'
import { currentOfferState } from '#core/waiting-list/waiting-states.ts'
import { acceptCustomerBooking } from '#server/areas/appointments/bookings/accept-customer-booking.ts'
import { insertBooking, toBookingMessageFields } from '#server/areas/appointments/bookings/insert-booking.ts'
import { tryToQueueMails } from '#server/areas/appointments/bookings/queue-mails.ts'
import {
  type BookableCalendar,
  lockBookableCalendar,
  lockBooking,
} from '#server/areas/appointments/bookings/repository.ts'
import { toBookingResponse } from '#server/areas/appointments/bookings/respond-once.ts'
import { getCheckoutUrl, insertHoldWithPayment } from '#server/areas/payments/checkouts/create-checkout.ts'
import { toSignedLink } from '#server/messages/emails/to-mail-facts.ts'
import { recordEmailResponse } from '#server/messages/queue/recipient-use-cases.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { BookedAppointment } from '#server/records/appointments/appointment.ts'
import { findDetailsIncludingEndedHolds } from '#server/records/appointments/details-repository.ts'
import { translateBookingConflicts } from '#server/records/appointments/translate-booking-conflicts.ts'
import { StartRefusal } from '#server/records/refusals/start-refusal.ts'
import { keepingRefusal } from '#server/records/refusals/use-cases.ts'
import { SLOT_REFUSALS } from '#server/records/slots/use-cases.ts'
import type { WaitingListCalendar } from './calendar-repository.ts'
import type { WaitingActionsDeps } from './deps.ts'
import { endOpenOffer, releaseOfferHold } from './end-offer.ts'
import { isInvalidatedByAbsence, listAbsences } from './list-absences.ts'
import {
  lockEntry,
  lockOffer,
  type Offer,
  type StoredWaitingEntry,
  updateEntry,
  updateOffer,
  type WaitingEntryKey,
} from './repository.ts'

type Body = z.output<typeof acceptOfferBody>

const TIME_TAKEN_REFUSALS = { time: 'waiting.time_taken', place: 'waiting.time_taken' } as const

/** The refusal for accepting an offer that is no longer open, by the offer's state. */
export const CLOSED_OFFER_REFUSALS = {
  expired: 'waiting.offer_expired',
  declined: 'waiting.offer_declined',
  withdrawn: 'waiting.offer_withdrawn',
  unpaid: 'waiting.offer_unpaid',
  taken: 'waiting.time_taken',
} as const satisfies Record<string, ProblemCode>

/** The entry, offer and calendar that an emailed link opens. */
type Accepting = {
  readonly entry: StoredWaitingEntry
  readonly offer: Offer
  readonly calendar: WaitingListCalendar
}

/** The booking of an accepted offer, made by this request or an earlier one. */
type Accepted = { readonly details: BookedAppointment; readonly areMailsQueued: boolean }

/**
 * Books the offered time as the booking page does: the booking is confirmed at once, or its time is held while the
 * customer pays. Idempotent. Source: rule Z8.
 * @throws ProblemError `waiting.*`, `booking.*`, `payment.*`
 */
export async function acceptOffer(
  deps: WaitingActionsDeps,
  { entry, offer, calendar }: Accepting,
  { provider = null }: Body,
): Promise<AcceptOfferResponse> {
  // Skip this check for an offer that has ended, so that opening its link again causes no calls to a calendar provider.
  if (currentOfferState(offer, deps.now()) === 'open') {
    await deps.checkExternalCalendars({
      by: 'customer',
      slug: calendar.slug,
      typeId: entry.appointment_type_id,
      startsAtMs: offer.starts_at.getTime(),
      isPromised: isPromised(offer),
    })
  }
  const accepted = await keepingRefusal(deps, () =>
    translateBookingConflicts(TIME_TAKEN_REFUSALS, () =>
      inTransaction(deps.db, (trx) => book(deps, trx, { entry, offer, provider: provider ?? null })),
    ),
  ).catch((error: unknown) => endOfferOfTakenTime(deps, offer, error))
  // Only this email address got the link, so opening it proves that somebody reads the address. Source: rule E6.
  await recordEmailResponse(deps, deps.recipientKeys.keyOf(entry.customer_email))
  const { details, areMailsQueued } = accepted
  if (details.status === 'pending_payment' && details.released_at === null) {
    const url = await getCheckoutUrl(deps, details, entry.customer_email)
    return {
      outcome: 'pay',
      url,
      appointment_id: details.id,
      manage_token: toSignedLink(deps, details).token,
    }
  }
  return {
    outcome: 'booked',
    appointment: toBookingResponse(deps, { details, confirmationEmailQueued: areMailsQueued }),
  }
}

/** Releases the offer's hold and books its time in one transaction, so that nobody can take the time in between. */
async function book(
  deps: WaitingActionsDeps,
  trx: Trx,
  accepting: Pick<Accepting, 'entry' | 'offer'> & { readonly provider: 'stripe' | 'paypal' | null },
): Promise<Accepted> {
  const { provider } = accepting
  const calendar = await lockBookableCalendar(trx, accepting.offer.calendar_id)
  const offer = await lockOffer(trx, accepting.offer)
  const entry = await lockEntry(trx, accepting.entry)
  if (calendar === null || offer === null || entry === null) throw new ProblemError('waiting.not_found')
  // The customer's email address has been changed in the meantime, so this link no longer works. Source: rule Z14.
  if (entry.link_rotation !== accepting.entry.link_rotation) throw new ProblemError('waiting.not_found')
  const now = new Date(deps.now())
  const state = currentOfferState(offer, now.getTime())
  if (state === 'accepted') return getBooked(trx, offer)
  if (state !== 'open') throw new ProblemError(CLOSED_OFFER_REFUSALS[state])
  const absences = await listAbsences({ db: trx, now: deps.now }, calendar)
  if (isInvalidatedByAbsence(absences, offer)) throw new ProblemError('waiting.offer_withdrawn')

  await releaseOfferHold(trx, offer, now)
  const accepted = await bookLikeCustomer(deps, trx, { calendar, offer, entry, provider }).catch(toTaken)
  const booked = { state: 'accepted', ended_at: now, booked_appointment_id: accepted.details.id } as const
  await updateOffer(trx, offer, booked)
  await updateEntry(trx, entry, { state: 'accepted', ended_at: now })
  return accepted
}

async function bookLikeCustomer(
  deps: WaitingActionsDeps,
  trx: Trx,
  {
    calendar,
    offer,
    entry,
    provider,
  }: {
    readonly calendar: BookableCalendar
    readonly offer: Offer
    readonly entry: StoredWaitingEntry
    readonly provider: 'stripe' | 'paypal' | null
  },
): Promise<Accepted> {
  const body = {
    appointment_type_id: entry.appointment_type_id,
    starts_at: offer.starts_at.toISOString(),
    time_zone: entry.customer_time_zone,
    customer: { name: entry.customer_name, email: entry.customer_email, phone: entry.customer_phone },
  }
  if (provider !== null) {
    // The holds of offers need no limit, because only the recipient of the email has the link.
    const details = await insertHoldWithPayment(deps, trx, {
      calendar,
      body: { ...body, provider },
      holder: null,
      isPromised: isPromised(offer),
    })
    return { details, areMailsQueued: false }
  }
  const locked = await lockBooking(deps, trx, { calendar, typeId: entry.appointment_type_id })
  const wanted = { body, hold: null, nowMs: deps.now(), isPromised: isPromised(offer) }
  const details = await insertBooking(deps, trx, await acceptCustomerBooking(deps, trx, locked, wanted))
  const areMailsQueued = await tryToQueueMails(
    deps,
    trx,
    ['booking_confirmation', 'owner_booking_notice'],
    toBookingMessageFields(details),
  )
  return { details, areMailsQueued }
}

/**
 * True when the time is held for this customer alone. Otherwise several customers got the offer, and the first to accept gets
 * the time, as on the booking page.
 */
function isPromised({ held_appointment_id }: Offer): boolean {
  return held_appointment_id !== null
}

/**
 * If somebody else has taken the time, ends the offer, so that the customer keeps waiting for other times.
 * @throws the error itself
 */
async function endOfferOfTakenTime(
  deps: WaitingActionsDeps,
  key: WaitingEntryKey,
  error: unknown,
): Promise<never> {
  if (error instanceof ProblemError && error.code === 'waiting.time_taken')
    await endOpenOffer(deps, key, 'taken')
  throw error
}

const TAKEN: ReadonlySet<ProblemCode> = new Set(Object.values(SLOT_REFUSALS))

/** Converts the booking page's refusals of a taken time to the waiting list's refusal. */
function toTaken(error: unknown): never {
  const isTaken = error instanceof StartRefusal && TAKEN.has(error.code)
  throw isTaken ? new StartRefusal('waiting.time_taken', error.refused) : error
}

async function getBooked(trx: Trx, offer: Offer): Promise<Accepted> {
  const { booked_appointment_id: bookedAppointmentId } = offer
  const details =
    bookedAppointmentId === null ? null : await findDetailsIncludingEndedHolds(trx, bookedAppointmentId)
  if (details === null) throw new ProblemError('waiting.not_found')
  const isGivenBack = details.status === 'pending_payment' && details.released_at !== null
  if (isGivenBack) throw new ProblemError('waiting.offer_unpaid')
  return { details, areMailsQueued: true }
}
