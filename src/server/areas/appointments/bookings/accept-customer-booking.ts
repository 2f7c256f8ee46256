import type { z } from 'zod'
import type { createBookingBody } from '#contract/appointments/bookings.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { findCanonicalTimeZone } from '#contract/shared/stored-zone.ts'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import { localDateOf, toWholeDaysInterval } from '#core/shared/zoned-time.ts'
import { isFinalReason, type StartReason } from '#core/slots/explain-start.ts'
import { SEATS_PER_CUSTOMER_AND_DAY } from '#core/slots/sessions.ts'
import { type NewHold, refuseHoldOverLimit } from '#server/areas/appointments/holds/use-cases.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Log } from '#server/platform/log.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import type { StoredAnswer } from '#server/records/questions/repository.ts'
import { acceptAnswers } from '#server/records/questions/use-cases.ts'
import { StartRefusal } from '#server/records/refusals/start-refusal.ts'
import { countSeatsOfCustomer } from '#server/records/slots/sessions-repository.ts'
import { listReasonsUnderLock, SLOT_REFUSALS, toSlotVerdict } from '#server/records/slots/use-cases.ts'
import { type NewBooking, toBookingRequirements, toPaymentTerms } from './insert-booking.ts'
import type { LockedBooking } from './repository.ts'

type Body = z.output<typeof createBookingBody>

type WantedBooking = {
  readonly body: Pick<
    Body,
    'appointment_type_id' | 'starts_at' | 'time_zone' | 'title' | 'description' | 'customer'
  > &
    // The policy text is optional, because a customer who accepts a waiting-list offer has read the policy on the
    // offer's page. That page asks no questions. Source: rule B35.
    Partial<Pick<Body, 'policy_text' | 'answers'>>
  /**
   * True when a waiting-list offer held the time for this customer. Then only appointments, external events and the
   * location can still block it. Source: rule Z8.
   */
  readonly isPromised?: boolean
  /**
   * The reason and the holder of a booking that only holds the time for now; null when the booking is confirmed at
   * once.
   */
  readonly hold: NewHold | null
  readonly nowMs: number
}

/**
 * Checks a customer's booking against every rule that the booking page applies. The caller holds the locks, so nothing can
 * change before the booking is written. Source: rule T20.
 * @throws ProblemError `calendar.paused`, `booking.*`, `answer.refused`, `hold.*`, `payment.nothing_to_pay`
 */
export async function acceptCustomerBooking(
  deps: {
    readonly budgets: Pick<Budgets, 'amounts' | 'recordSpent'>
    readonly log: Pick<Log, 'warn'>
    readonly secrets: Pick<SecretBox, 'seal'>
  },
  trx: Trx,
  locked: LockedBooking,
  { body, hold, nowMs, isPromised = false }: WantedBooking,
): Promise<NewBooking> {
  const { calendar, isAlone } = locked
  const typeId = body.appointment_type_id ?? null
  const startsAtMs = Date.parse(body.starts_at)
  const refuse = (code: ProblemCode, reasons: readonly StartReason[]) =>
    new StartRefusal(code, { calendarId: calendar.id, typeId, startsAtMs, reasons })
  if (calendar.is_paused && !isPromised) throw refuse('calendar.paused', ['paused'])
  const requirements = toBookingRequirements(locked, { typeId, missing: 'booking.incomplete' })

  refuseOtherPolicy(locked, body.policy_text)
  const answers = await answerQuestions(deps, trx, locked, { isPromised, answers: body.answers })

  const terms = toPaymentTerms(locked)
  if (hold === null && terms.mustPayFirst) throw new ProblemError('booking.payment_required')
  // The customer sees no error here, because customer and owner settle the payment between themselves. Source: rule B6.
  if (terms.lacksProvider) {
    deps.log.warn({ calendarId: calendar.id }, 'Payment is required but no provider is configured')
  }
  if (hold?.reason === 'payment' && terms.paymentStatus === 'not_required') {
    throw new ProblemError('payment.nothing_to_pay')
  }

  const wanted = { calendar, requirements, startsAtMs, nowMs, isAlone }
  const reasons = await listReasonsUnderLock(trx, wanted)
  const verdict = isPromised ? judgePromised(reasons) : toSlotVerdict(reasons)
  if (verdict !== 'open') throw refuse(SLOT_REFUSALS[verdict], reasons)
  if (!isPromised) await refuseTooManySeats(trx, { ...wanted, email: body.customer.email })

  if (hold !== null && hold.holder !== null) {
    const { reason, holder } = hold
    await refuseHoldOverLimit(deps, trx, { ...wanted, reason, holder, calendarId: calendar.id })
  }

  const { name, email, phone } = body.customer
  return {
    locked,
    requirements,
    startsAtMs,
    title: body.title,
    description: body.description,
    // If this server does not know the browser's time zone, it is ignored and the calendar's zone is used instead.
    customer: { name, email, phone: phone || null, timeZone: findCanonicalTimeZone(body.time_zone ?? '') },
    answers,
    paymentStatus: terms.paymentStatus,
    hold,
    bookedBy: 'customer',
    nowMs,
  }
}

/** Checks the answers, if the calendar asks customers anything. @throws ProblemError `answer.refused` */
async function answerQuestions(
  deps: { readonly secrets: Pick<SecretBox, 'seal'> },
  trx: Trx,
  { calendar, type, has_questions: asks }: LockedBooking,
  { isPromised, answers }: { readonly isPromised: boolean; readonly answers: Body['answers'] },
): Promise<StoredAnswer[]> {
  if (!asks || isPromised) return []
  return acceptAnswers(deps, trx, {
    calendarId: calendar.id,
    typeId: type?.id ?? null,
    answers: answers ?? [],
  })
}

/** Refuses the booking if the policy differs from the one that the customer read. Source: rule Q7. */
function refuseOtherPolicy({ calendar, type }: LockedBooking, read: string | null | undefined): void {
  if (read === null || read === undefined) return
  const hasPrice = (type?.price_cents ?? 0) > 0
  if (read !== describePolicy(type?.policy ?? calendar.policy, { hasPrice })) {
    throw new ProblemError('booking.policy_changed')
  }
}

/**
 * Checks a time that an offer held for the customer: the time must not have begun, and it must be free. Opening hours,
 * the slot grid and the minimum notice do not matter. Source: rule Z8.
 */
function judgePromised(reasons: readonly StartReason[]): 'open' | 'unavailable' {
  return reasons.some((reason) => reason === 'begun' || isFinalReason(reason)) ? 'unavailable' : 'open'
}

/**
 * Refuses more seats than one customer may take in a day, so that nobody books a whole group of strangers out. Source: rule
 * B57.
 */
async function refuseTooManySeats(
  trx: Trx,
  {
    calendar,
    requirements,
    startsAtMs,
    email,
  }: Pick<Parameters<typeof listReasonsUnderLock>[1], 'calendar' | 'requirements' | 'startsAtMs'> & {
    readonly email: string
  },
): Promise<void> {
  if (requirements.seats === null) return
  const date = localDateOf(startsAtMs, calendar.timezone)
  const during = toWholeDaysInterval(date, date, calendar.timezone)
  const seats = await countSeatsOfCustomer(trx, { calendarId: calendar.id, email, during })
  if (seats >= SEATS_PER_CUSTOMER_AND_DAY) throw new ProblemError('booking.too_many_seats')
}
