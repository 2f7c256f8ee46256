import type { z } from 'zod'
import type { CreateBookingResponse, createBookingBody } from '#contract/bookings.ts'
import { findStoredZone } from '#contract/stored-zone.ts'
import { EMAIL_CONFIRMATION_MS } from '#core/booking/hold.ts'
import { type Holder, refuseExcessiveHold, toHolder } from '#server/features/holds/use-cases.ts'
import { judgeSlot } from '#server/features/slots/use-cases.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { PublicCaller } from '#server/platform/http/public-caller.ts'
import { type BookedOnce, bookOnce, type Locked } from './book-once.ts'
import { type Asking, type PublicBookingDeps, withinBookingBudgets } from './booking-budgets.ts'
import { isCalendarOf } from './caller-repository.ts'
import { refusePrograms } from './refuse-programs.ts'
import type { AppointmentDetails } from './repository.ts'
import { type Agreement, demandOf, takeTime, termsOf } from './take-time.ts'

export type CustomerBookingDeps = PublicBookingDeps & {
  /** Gives back what the same person holds on a calendar. */
  readonly replaceEarlierHolds: (held: {
    readonly slug: string
    readonly key: string | null
    readonly holder: Holder
    readonly startsAtMs: number
  }) => Promise<void>
}

type BookingBody = z.output<typeof createBookingBody>

/**
 * Books a time for a customer: checks every rule again and inserts.
 *
 * Source: rule T20.
 * @throws ProblemError `calendar.not_found`, `booking.*`, `request.key_reused`
 */
export async function createBooking(
  deps: CustomerBookingDeps,
  input: { slug: string; key: string | null; body: BookingBody; caller: PublicCaller },
): Promise<CreateBookingResponse> {
  const { slug, key, body, caller } = input
  refusePrograms(body)
  const request = { calendar: { slug }, typeId: body.appointment_type_id ?? null, key, body }
  const asks = { caller, slug, email: body.customer.email }
  const startsAtMs = Date.parse(body.starts_at)
  const book = (refuse: () => void) =>
    bookOnce(deps, request, async (trx, locked, nowMs) => {
      refuse()
      const hold = await toHold(deps, trx, { calendar: locked.calendar, ...asks, nowMs })
      const wish = { ...locked, body, nowMs, hold, mails: hold === null ? BOOKED : CODE_SENT }
      const { details, areMailsQueued } = await takeCustomerTime(deps, trx, wish)
      return { details, confirmationEmailQueued: areMailsQueued }
    })
  const { response } = await withinBookingBudgets(deps, request, asks, (refuse) =>
    replacingEarlierHold(deps, { ...asks, key, startsAtMs }, () => book(refuse)),
  )
  return response
}

/**
 * Gives back the time that the same person holds on the calendar, and books again. Not under a lock: a provider may be
 * asked. Source: rule H5.
 */
async function replacingEarlierHold(
  deps: CustomerBookingDeps,
  { slug, caller, email, ...rest }: Asking & { readonly key: string | null; readonly startsAtMs: number },
  book: () => Promise<BookedOnce>,
): Promise<BookedOnce> {
  try {
    return await book()
  } catch (error) {
    if (!(error instanceof ProblemError) || error.code !== 'hold.earlier_under_way') throw error
    await deps.replaceEarlierHolds({ ...rest, slug, holder: toHolder(deps, caller.client, email) })
    return book()
  }
}

/** Who is told of a booking that counts, and of one whose customer has yet to confirm their address. */
const BOOKED = ['booking_confirmation', 'owner_booking_notice'] as const
const CODE_SENT = ['email_code'] as const

type Booker = Asking & { readonly calendar: Locked['calendar']; readonly nowMs: number }

/**
 * A booking counts at once, unless its calendar asks strangers for the code of an email. Its owner is asked for none.
 * Source: rule B4.
 */
async function toHold(
  deps: Pick<PublicBookingDeps, 'toPseudonym'>,
  trx: Trx,
  { calendar, caller, slug, email, nowMs }: Booker,
): Promise<Agreement['hold']> {
  if (!calendar.emailConfirmationRequired || (await isCalendarOf(trx, slug, caller.ownerId))) return null
  return {
    reason: 'email_confirmation',
    expiresAt: new Date(nowMs + EMAIL_CONFIRMATION_MS),
    holder: toHolder(deps, caller.client, email),
  }
}

type Wish = Locked & Pick<Agreement, 'nowMs' | 'hold' | 'mails'> & { readonly body: BookingBody }

/**
 * Takes a time for a customer, confirmed at once or held for now. Under the calendar's lock.
 * @throws ProblemError `booking.*`, `hold.*`, `payment.nothing_to_pay`
 */
export async function takeCustomerTime(
  deps: Pick<PublicBookingDeps, 'jobs' | 'log' | 'budgets'>,
  trx: Trx,
  { calendar, choice, request, body, nowMs, hold, mails }: Wish,
): Promise<{ details: AppointmentDetails; areMailsQueued: boolean; priceCents: number }> {
  const typeId = body.appointment_type_id ?? null
  const demand = demandOf(choice, { typeId, missing: 'booking.incomplete' })
  const terms = termsOf(calendar, choice)
  if (hold === null && terms.mustPayFirst) throw new ProblemError('booking.payment_required')
  if (hold?.reason === 'payment' && terms.paymentStatus === 'not_required') {
    throw new ProblemError('payment.nothing_to_pay')
  }

  const startsAtMs = Date.parse(body.starts_at)
  const verdict = await judgeSlot(trx, { calendar, demand, startsAtMs, nowMs })
  if (verdict === 'location_taken') throw new ProblemError('booking.location_conflict')
  if (verdict === 'unavailable') throw new ProblemError('booking.slot_unavailable')

  if (hold !== null && hold.holder !== null) {
    const { holder } = hold
    const wanted = { holder, calendar, calendarId: calendar.id, demand, startsAtMs, nowMs }
    await refuseExcessiveHold(deps, trx, wanted)
  }

  const { name, email, phone } = body.customer
  // A browser's zone that this server does not know is dropped, not refused: the calendar's is used instead.
  const { details, areMailsQueued } = await takeTime(deps, trx, {
    calendar,
    choice,
    demand,
    startsAtMs,
    title: body.title,
    description: body.description,
    customer: { name, email, phone: phone || null, timeZone: findStoredZone(body.time_zone ?? '') },
    paymentStatus: terms.paymentStatus,
    hold,
    bookedBy: 'customer',
    mails,
    request,
    nowMs,
  })
  return { details, areMailsQueued, priceCents: choice.type?.priceCents ?? 0 }
}
