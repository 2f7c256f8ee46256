import type { z } from 'zod'
import type { CreateBookingResponse, createBookingBody } from '#contract/bookings.ts'
import { isTimeZone } from '#core/shared/zoned-time.ts'
import { judgeSlot } from '#server/features/slots/use-cases.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { bookOnce, type Locked } from './book-once.ts'
import { refusePrograms } from './refuse-programs.ts'
import type { AppointmentDetails } from './repository.ts'
import { type Agreement, type BookingsDeps, demandOf, takeTime, termsOf } from './take-time.ts'

type BookingBody = z.output<typeof createBookingBody>

/**
 * Books a time for a customer: checks every rule again and inserts.
 *
 * Source: spec §4 "Booking", §5 "Booking form"; scheduling rule 10.
 * @throws ProblemError `calendar.not_found`, `booking.*`, `request.key_reused`
 */
export async function createBooking(
  deps: BookingsDeps,
  input: { slug: string; key: string | null; body: BookingBody },
): Promise<CreateBookingResponse> {
  const { slug, key, body } = input
  refusePrograms(body)
  const request = { calendar: { slug }, typeId: body.appointment_type_id ?? null, key, body }
  const { response } = await bookOnce(deps, request, async (trx, locked, nowMs) => {
    const mails = ['booking_confirmation', 'owner_booking_notice'] as const
    const wish = { ...locked, body, nowMs, holdExpiresAt: null, mails }
    const { details, areMailsQueued } = await takeCustomerTime(deps, trx, wish)
    return { details, confirmationEmailQueued: areMailsQueued }
  })
  return response
}

type Wish = Locked & Pick<Agreement, 'nowMs' | 'holdExpiresAt' | 'mails'> & { readonly body: BookingBody }

/**
 * Takes a time for a customer, confirmed, or held until `holdExpiresAt` while it is paid. Under the calendar's lock.
 * @throws ProblemError `booking.*`, `payment.nothing_to_pay`
 */
export async function takeCustomerTime(
  deps: Pick<BookingsDeps, 'jobs' | 'log'>,
  trx: Trx,
  { calendar, choice, request, body, nowMs, holdExpiresAt, mails }: Wish,
): Promise<{ details: AppointmentDetails; areMailsQueued: boolean; priceCents: number }> {
  const typeId = body.appointment_type_id ?? null
  const demand = demandOf(choice, { typeId, missing: 'booking.incomplete' })
  const terms = termsOf(calendar, choice)
  if (holdExpiresAt === null && terms.mustPayFirst) throw new ProblemError('booking.payment_required')
  if (holdExpiresAt !== null && terms.paymentStatus === 'not_required') {
    throw new ProblemError('payment.nothing_to_pay')
  }

  const startsAtMs = Date.parse(body.starts_at)
  const verdict = await judgeSlot(trx, { calendar, demand, startsAtMs, nowMs })
  if (verdict === 'location_taken') throw new ProblemError('booking.location_conflict')
  if (verdict === 'unavailable') throw new ProblemError('booking.slot_unavailable')

  const { name, email, phone } = body.customer
  const { details, areMailsQueued } = await takeTime(deps, trx, {
    calendar,
    choice,
    demand,
    startsAtMs,
    title: body.title,
    description: body.description,
    customer: { name, email, phone: phone || null, timeZone: toKnownZone(body.time_zone) },
    paymentStatus: terms.paymentStatus,
    holdExpiresAt,
    bookedBy: 'customer',
    mails,
    request,
    nowMs,
  })
  return { details, areMailsQueued, priceCents: choice.type?.priceCents ?? 0 }
}

/** A browser's zone that this server does not know is dropped, not refused: the calendar's is used instead. */
function toKnownZone(timeZone: string | null | undefined): string | null {
  return timeZone && isTimeZone(timeZone) ? timeZone : null
}
