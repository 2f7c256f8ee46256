import type { z } from 'zod'
import type { CreateBookingResponse, createBookingBody } from '#contract/appointments/bookings.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { EMAIL_CONFIRMATION_MS } from '#core/appointments/hold.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { isHeldByPerson } from '#server/areas/appointments/holds/repository.ts'
import { type HoldOwner, toHoldOwner } from '#server/areas/appointments/holds/to-hold-owner.ts'
import type { NewHold } from '#server/areas/appointments/holds/use-cases.ts'
import { beginCustomerSeries } from '#server/areas/appointments/series/customer-series.ts'
import { insertDates, namingDates } from '#server/areas/appointments/series/insert-dates.ts'
import { refuseWhenCodeWouldBeLate, type UnreachableDeps } from '#server/messages/queue/refuse-late-code.ts'
import type { PublicCaller } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { BookedAppointment } from '#server/records/appointments/appointment.ts'
import {
  BOOKING_CONFLICT_CODES,
  translateBookingConflicts,
} from '#server/records/appointments/translate-booking-conflicts.ts'
import { keepingRefusal } from '#server/records/refusals/use-cases.ts'
import {
  getBookingRequirements,
  getSchedulingCalendar,
  toConflictTime,
} from '#server/records/slots/use-cases.ts'
import { acceptCustomerBooking } from './accept-customer-booking.ts'
import { type PublicBookingDeps, spendBookingBudgets, uncountBookingBudgets } from './booking-budgets.ts'
import { type ExternalCheckDeps, toTimeToCheck } from './deps.ts'
import { toBookingMessageFields } from './insert-booking.ts'
import { tryToQueueMails } from './queue-mails.ts'
import { refuseBots } from './refuse-bots.ts'
import {
  type BookableCalendar,
  isOwnCalendar,
  type LockedBooking,
  lockBooking,
  lockPublicCalendar,
} from './repository.ts'
import {
  type BookingResult,
  findEarlierBooking,
  hasBookingResponse,
  storeBookingResponse,
  toBookingResponse,
  toIdempotentRequest,
} from './respond-once.ts'

export type CustomerBookingDeps = PublicBookingDeps &
  UnreachableDeps &
  ExternalCheckDeps & {
    /**
     * Releases the unpaid holds of the same person on this calendar, and those on the professional's other calendars that block
     * this time.
     */
    readonly replaceEarlierHolds: (held: {
      readonly slug: string
      readonly key: string | null
      readonly holder: HoldOwner
      readonly startsAtMs: number
      readonly typeId: string | null
    }) => Promise<void>
  }

type BookingRequest = {
  readonly slug: string
  /** The idempotency key; null when the request has none. */
  readonly key: string | null
  readonly body: z.output<typeof createBookingBody>
  readonly caller: PublicCaller
}

/**
 * Books a time for a customer. This function checks the caller and the rate limits; `book`, below, writes the booking.
 * Source: rule T20.
 * @throws ProblemError `calendar.not_found`, `booking.*`, `hold.*`, `request.key_reused`
 */
export async function createBooking(
  deps: CustomerBookingDeps,
  request: BookingRequest,
): Promise<CreateBookingResponse> {
  const { slug, key, body, caller } = request
  refuseBots(body)
  const dates = 1 + (body.series?.dates.length ?? 0)
  const counted = await spendBookingBudgets(deps, { caller, slug, email: body.customer.email, dates })
  let isNew = false
  try {
    // A repeated request gets its stored response even when the caller's limit is exceeded.
    if (counted.refusal !== null && !(await hasBookingResponse(deps, slug, key))) throw counted.refusal
    const answer = await keepingRefusal(deps, () => bookWhenReady(deps, request, counted.refusal))
    isNew = answer.isNew
    return answer.response
  } finally {
    if (!isNew) await uncountBookingBudgets(deps, counted)
  }
}

type Answer = { readonly isNew: boolean; readonly response: CreateBookingResponse }

/** Steps that may be needed before a time is booked. They run without locks, because they may call a provider. */
type Preparation = 'check_external_calendars' | 'give_back_earlier_hold' | 'give_back_own_time'

const PREPARE: Readonly<
  Record<Preparation, (deps: CustomerBookingDeps, request: BookingRequest) => Promise<void>>
> = {
  // Check the external calendars around each time. Source: rule G7.
  check_external_calendars: async (deps, { slug, body }) => {
    for (const { starts_at } of [body, ...(body.series?.dates ?? [])])
      await deps.checkExternalCalendars(toTimeToCheck(slug, { ...body, starts_at }))
  },
  give_back_earlier_hold: releaseHolds,
  give_back_own_time: releaseHolds,
}

/** Releases the holds of the same person. Source: rule H5. */
function releaseHolds(deps: CustomerBookingDeps, { slug, key, body, caller }: BookingRequest): Promise<void> {
  const holder = toHoldOwner(deps, caller.client, body.customer.email)
  const { startsAtMs, typeId } = toWantedTime(body)
  return deps.replaceEarlierHolds({ slug, key, holder, startsAtMs, typeId })
}

/** Books the time. If a preparation is needed first, runs it once and tries again. */
async function bookWhenReady(
  deps: CustomerBookingDeps,
  request: BookingRequest,
  refusal: ProblemError | null,
): Promise<Answer> {
  const done = new Set<Preparation>()
  for (;;) {
    const outcome = await book(deps, request, { refusal, done }).catch((error) =>
      toPreparation(deps, request, { error, done }),
    )
    if (typeof outcome !== 'string') return outcome
    done.add(outcome)
    // While this person held the time, nobody was offered it, so the external calendars were not checked for it. Check
    // them now. Source: rule G7.
    if (outcome === 'give_back_own_time') done.delete('check_external_calendars')
    await PREPARE[outcome](deps, request)
  }
}

/**
 * Returns the preparation that can resolve a refusal: releasing an earlier hold of the same person. It helps when the
 * new hold would be their second on the calendar, or when the earlier hold occupies the wanted time. It is tried only
 * once. Source: rule H5.
 * @throws the error itself when no preparation can resolve it
 */
async function toPreparation(
  deps: CustomerBookingDeps,
  { slug, body, caller }: BookingRequest,
  { error, done }: { readonly error: unknown; readonly done: ReadonlySet<Preparation> },
): Promise<Preparation> {
  const wasGivenBack = done.has('give_back_earlier_hold') || done.has('give_back_own_time')
  if (!(error instanceof ProblemError) || wasGivenBack) throw error
  if (error.code === 'hold.earlier_under_way') return 'give_back_earlier_hold'
  if (!TAKEN.has(error.code)) throw error
  const wanted = { slug, ...toWantedTime(body), isLimit: error.code === 'booking.fully_booked' }
  const holder = toHoldOwner(deps, caller.client, body.customer.email)
  if (!(await isTimeHeldByPerson(deps.db, { ...wanted, holder }))) throw error
  return 'give_back_own_time'
}

/** The refusals that a hold of the same person can cause. */
const TAKEN: ReadonlySet<ProblemCode> = new Set([
  'booking.slot_unavailable',
  'booking.fully_booked',
  'booking.session_full',
])

function toWantedTime({ starts_at, appointment_type_id }: BookingRequest['body']) {
  return { startsAtMs: Date.parse(starts_at), typeId: appointment_type_id ?? null }
}

/**
 * True when a hold of the same person blocks a time, with the calendar's buffer. If a limit blocks it, a hold in the month before
 * or after may count towards it.
 */
async function isTimeHeldByPerson(
  db: Db,
  {
    slug,
    typeId,
    startsAtMs,
    holder,
    isLimit,
  }: {
    readonly slug: string
    readonly typeId: string | null
    readonly startsAtMs: number
    readonly holder: HoldOwner
    readonly isLimit: boolean
  },
): Promise<boolean> {
  const { id: calendarId, rules } = await getSchedulingCalendar(db, slug)
  const during = isLimit
    ? { startMs: startsAtMs - 31 * DAY_MS, endMs: startsAtMs + 31 * DAY_MS }
    : toConflictTime(startsAtMs, await getBookingRequirements(db, calendarId, typeId), rules)
  return isHeldByPerson(db, { holder, calendarId, during })
}

/**
 * Books in one transaction: lock, decide, write, queue, respond. `refusal` is thrown for a caller whose rate limit is
 * exceeded, unless the request is a repeat.
 * @returns the preparation that is needed first, when nothing was booked
 */
function book(
  deps: CustomerBookingDeps,
  request: BookingRequest,
  { refusal, done }: { readonly refusal: ProblemError | null; readonly done: ReadonlySet<Preparation> },
): Promise<Answer | Preparation> {
  const { slug, body } = request
  const keyedRequest = toIdempotentRequest(request.key, body)
  return translateBookingConflicts(BOOKING_CONFLICT_CODES, () =>
    inTransaction(deps.db, async (trx) => {
      const calendar = await lockPublicCalendar(trx, slug)
      if (calendar === null) throw new ProblemError('calendar.not_found')
      const earlier = await findEarlierBooking(deps, trx, calendar.id, keyedRequest)
      if (earlier !== null) return { isNew: false, response: toBookingResponse(deps, earlier) }
      if (refusal !== null) throw refusal
      const locked = await lockBooking(deps, trx, { calendar, typeId: body.appointment_type_id ?? null })
      if (locked.reads_external_calendars && !done.has('check_external_calendars')) {
        return 'check_external_calendars'
      }

      const booked = await insertAllDates(deps, trx, { locked, request })
      await storeBookingResponse(trx, keyedRequest, booked)
      // Build the response before the commit: after it, no error may turn a successful booking into a refusal.
      return { isNew: true, response: toBookingResponse(deps, booked) }
    }),
  )
}

/** Decides about a booking under its locks, writes it with all dates of a series, and queues its emails. */
async function insertAllDates(
  deps: CustomerBookingDeps,
  trx: Trx,
  { locked, request }: { readonly locked: LockedBooking; readonly request: BookingRequest },
): Promise<BookingResult> {
  const { body } = request
  const nowMs = deps.now()
  const hold = await findHoldForCode(deps, trx, { calendar: locked.calendar, request, nowMs })
  const first = await acceptCustomerBooking(deps, trx, locked, { body, hold, nowMs })
  const bookings = await beginCustomerSeries(deps, trx, first, body)
  const [details, ...further] = await insertDates(deps, trx, { bookings })
  if (details === undefined) throw new Error('the first date is always booked')
  const areMailsQueued = await queueFirstMails(deps, trx, { details, further, hold })
  return { details, further, confirmationEmailQueued: areMailsQueued }
}

/**
 * Queues the emails about a confirmed booking to both sides. A customer who must confirm their email address first gets only
 * the code.
 * @returns whether the emails are queued
 * @throws ProblemError `confirmation.no_email`
 */
async function queueFirstMails(
  deps: CustomerBookingDeps,
  trx: Trx,
  {
    details,
    further,
    hold,
  }: {
    readonly details: BookedAppointment
    readonly further: readonly BookedAppointment[]
    readonly hold: NewHold | null
  },
): Promise<boolean> {
  const about = { ...toBookingMessageFields(details), ...namingDates(further) }
  if (hold === null) {
    return tryToQueueMails(deps, trx, ['booking_confirmation', 'owner_booking_notice'], about)
  }
  const { id: appointmentId, calendar_id: calendarId, customer_email: email } = details
  const refusal = 'confirmation.no_email'
  if (email !== null)
    await refuseWhenCodeWouldBeLate(deps, trx, { calendarId, appointmentId, email, refusal })
  return tryToQueueMails(deps, trx, ['email_code'], about)
}

/**
 * Returns the hold for a booking that must be confirmed with an emailed code, if the calendar requires one; null when the
 * booking is confirmed at once. The calendar's owner needs no code.
 */
async function findHoldForCode(
  deps: Pick<PublicBookingDeps, 'toPseudonym'>,
  trx: Trx,
  {
    calendar,
    request: { slug, body, caller },
    nowMs,
  }: { readonly calendar: BookableCalendar; readonly request: BookingRequest; readonly nowMs: number },
): Promise<NewHold | null> {
  if (!calendar.email_confirmation_required || (await isOwnCalendar(trx, slug, caller.ownerId))) return null
  return {
    reason: 'email_confirmation',
    expiresAt: new Date(nowMs + EMAIL_CONFIRMATION_MS),
    holder: toHoldOwner(deps, caller.client, body.customer.email),
  }
}
