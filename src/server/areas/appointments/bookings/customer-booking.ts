import type { z } from 'zod'
import type { CreateBookingResponse, createBookingBody } from '#contract/bookings.ts'
import { EMAIL_CONFIRMATION_MS } from '#core/booking/hold.ts'
import { isHeldByPerson } from '#server/areas/appointments/holds/repository.ts'
import { type Holder, toHolder } from '#server/areas/appointments/holds/to-holder.ts'
import type { NewHold } from '#server/areas/appointments/holds/use-cases.ts'
import { refuseUnreachable, type UnreachableDeps } from '#server/messages/queue/refuse-unreachable.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { PublicCaller } from '#server/platform/http/public-caller.ts'
import type { BookedAppointment } from '#server/records/appointments/details-repository.ts'
import { refuseTakenTime, TIME_TAKEN } from '#server/records/appointments/refuse-taken-time.ts'
import { addBuffer, getSchedulingCalendar, getTimeNeeded } from '#server/records/slots/use-cases.ts'
import { acceptCustomerBooking } from './accept-customer-booking.ts'
import {
  type BookingResult,
  findEarlierBooking,
  hasBookingAnswer,
  storeBookingAnswer,
  toBookingResponse,
  toIdempotentRequest,
} from './answer-once.ts'
import { giveBackBookingBudgets, type PublicBookingDeps, spendBookingBudgets } from './booking-budgets.ts'
import { isOwnCalendar } from './caller-repository.ts'
import { type ExternalCheckDeps, toTimeToCheck } from './deps.ts'
import { insertBooking, toBookingMessageFields } from './insert-booking.ts'
import { tryToQueueMails } from './queue-mails.ts'
import { refuseBots } from './refuse-bots.ts'
import { type BookableCalendar, lockBooking, lockPublicCalendar } from './repository.ts'

export type CustomerBookingDeps = PublicBookingDeps &
  UnreachableDeps &
  ExternalCheckDeps & {
    /** Gives back what the same person holds on a calendar, or in the way of a time there. */
    readonly replaceEarlierHolds: (held: {
      readonly slug: string
      readonly key: string | null
      readonly holder: Holder
      readonly startsAtMs: number
      readonly typeId: string | null
    }) => Promise<void>
  }

type BookingRequest = {
  readonly slug: string
  /** Under which the client may send the same request again. */
  readonly key: string | null
  readonly body: z.output<typeof createBookingBody>
  readonly caller: PublicCaller
}

/**
 * Books a time for a customer. This function decides who may ask for it, and how often. `book`, below, writes the booking.
 *
 * Source: rule T20.
 * @throws ProblemError `calendar.not_found`, `booking.*`, `hold.*`, `request.key_reused`
 */
export async function createBooking(
  deps: CustomerBookingDeps,
  request: BookingRequest,
): Promise<CreateBookingResponse> {
  const { slug, key, body, caller } = request
  refuseBots(body)
  const counted = await spendBookingBudgets(deps, { caller, slug, email: body.customer.email })
  let isNew = false
  try {
    // Whoever sends the same request again is answered again, also when they may book nothing more.
    if (counted.refusal !== null && !(await hasBookingAnswer(deps, slug, key))) throw counted.refusal
    const answer = await bookWhenReady(deps, request, counted.refusal)
    isNew = answer.isNew
    return answer.response
  } finally {
    if (!isNew) await giveBackBookingBudgets(deps, counted)
  }
}

type Answer = { readonly isNew: boolean; readonly response: CreateBookingResponse }

/** What may have to be done before a time is booked, with nothing locked, because a provider may be asked. */
type Preparation = 'check_external_calendars' | 'give_back_earlier_hold' | 'give_back_own_time'

const PREPARE: Readonly<
  Record<Preparation, (deps: CustomerBookingDeps, request: BookingRequest) => Promise<void>>
> = {
  // Source: rule G7.
  check_external_calendars: (deps, { slug, body }) => deps.checkExternalCalendars(toTimeToCheck(slug, body)),
  give_back_earlier_hold: giveBack,
  give_back_own_time: giveBack,
}

/** Gives back what the same person holds. Source: rule H5. */
function giveBack(deps: CustomerBookingDeps, { slug, key, body, caller }: BookingRequest): Promise<void> {
  const holder = toHolder(deps, caller.client, body.customer.email)
  const { startsAtMs, typeId } = toWantedTime(body)
  return deps.replaceEarlierHolds({ slug, key, holder, startsAtMs, typeId })
}

/** Books. Where something has to be done first, it does that once and tries again. */
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
    // While the person held the time it was offered to nobody, so no external calendar was asked about it. Source: rule G7.
    if (outcome === 'give_back_own_time') done.delete('check_external_calendars')
    await PREPARE[outcome](deps, request)
  }
}

/**
 * The hold of the same person is given back once: it would be their second on the calendar, or it has the very time that they want.
 * Source: rule H5.
 */
async function toPreparation(
  deps: CustomerBookingDeps,
  { slug, body, caller }: BookingRequest,
  { error, done }: { readonly error: unknown; readonly done: ReadonlySet<Preparation> },
): Promise<Preparation> {
  const wasGivenBack = done.has('give_back_earlier_hold') || done.has('give_back_own_time')
  if (!(error instanceof ProblemError) || wasGivenBack) throw error
  if (error.code === 'hold.earlier_under_way') return 'give_back_earlier_hold'
  if (error.code !== 'booking.slot_unavailable') throw error
  const wanted = { slug, ...toWantedTime(body) }
  const holder = toHolder(deps, caller.client, body.customer.email)
  if (!(await isTimeHeldByPerson(deps.db, { ...wanted, holder }))) throw error
  return 'give_back_own_time'
}

function toWantedTime({ starts_at, appointment_type_id }: BookingRequest['body']) {
  return { startsAtMs: Date.parse(starts_at), typeId: appointment_type_id ?? null }
}

/** Whether a hold of the same person, with the buffer of the calendar, is in the way of a time. */
async function isTimeHeldByPerson(
  db: Db,
  {
    slug,
    typeId,
    startsAtMs,
    holder,
  }: {
    readonly slug: string
    readonly typeId: string | null
    readonly startsAtMs: number
    readonly holder: Holder
  },
): Promise<boolean> {
  const { id: calendarId, rules } = await getSchedulingCalendar(db, slug)
  const { durationMinutes } = await getTimeNeeded(db, calendarId, typeId)
  const during = addBuffer({ startsAtMs, durationMinutes }, rules)
  return isHeldByPerson(db, { holder, calendarId, during })
}

/**
 * Books in one transaction: lock, decide, write, queue, answer. `refusal` is for whoever may not book anything new.
 * @returns what has to be done first, when nothing was booked
 */
function book(
  deps: CustomerBookingDeps,
  request: BookingRequest,
  { refusal, done }: { readonly refusal: ProblemError | null; readonly done: ReadonlySet<Preparation> },
): Promise<Answer | Preparation> {
  const { slug, body } = request
  const keyedRequest = toIdempotentRequest(request.key, body)
  return refuseTakenTime(TIME_TAKEN, () =>
    inTransaction(deps.db, async (trx) => {
      const calendar = await lockPublicCalendar(trx, slug)
      if (calendar === null) throw new ProblemError('calendar.not_found')
      const earlier = await findEarlierBooking(deps, trx, calendar.id, keyedRequest)
      if (earlier !== null) return { isNew: false, response: toBookingResponse(deps, earlier) }
      if (refusal !== null) throw refusal
      const locked = await lockBooking(deps, trx, { calendar, typeId: body.appointment_type_id ?? null })
      if (locked.readsExternalCalendars && !done.has('check_external_calendars')) {
        return 'check_external_calendars'
      }

      const nowMs = deps.now()
      const hold = await findHoldForCode(deps, trx, { calendar, request, nowMs })
      const booking = await acceptCustomerBooking(deps, trx, locked, { body, hold, nowMs })

      const details = await insertBooking(deps, trx, booking)
      const areMailsQueued = await queueFirstMails(deps, trx, { details, hold })

      const booked: BookingResult = { details, confirmationEmailQueued: areMailsQueued }
      await storeBookingAnswer(trx, keyedRequest, booked)
      // Put together before the commit: once it is booked, nothing may turn the answer into a refusal.
      return { isNew: true, response: toBookingResponse(deps, booked) }
    }),
  )
}

/**
 * Tells both sides of a booking that counts. A customer who has yet to confirm their address gets the code instead.
 * @returns whether the emails are queued
 * @throws ProblemError `confirmation.no_email`
 */
async function queueFirstMails(
  deps: CustomerBookingDeps,
  trx: Trx,
  { details, hold }: { readonly details: BookedAppointment; readonly hold: NewHold | null },
): Promise<boolean> {
  const about = toBookingMessageFields(details)
  if (hold === null) {
    return tryToQueueMails(deps, trx, ['booking_confirmation', 'owner_booking_notice'], about)
  }
  const { id: appointmentId, calendar_id: calendarId, customer_email: email } = details
  const refusal = 'confirmation.no_email'
  if (email !== null) await refuseUnreachable(deps, trx, { calendarId, appointmentId, email, refusal })
  return tryToQueueMails(deps, trx, ['email_code'], about)
}

/**
 * A booking counts at once, unless its calendar asks strangers for the code of an email: then its time is held until they have
 * typed it. The calendar's owner is asked for none.
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
  if (!calendar.emailConfirmationRequired || (await isOwnCalendar(trx, slug, caller.ownerId))) return null
  return {
    reason: 'email_confirmation',
    expiresAt: new Date(nowMs + EMAIL_CONFIRMATION_MS),
    holder: toHolder(deps, caller.client, body.customer.email),
  }
}
