import type { z } from 'zod'
import type { createBookingBody } from '#contract/bookings.ts'
import { findStoredZone } from '#contract/stored-zone.ts'
import { describePolicy } from '#core/policy/describe-policy.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { type NewHold, refuseExcessiveHold } from '#server/areas/appointments/holds/use-cases.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Log } from '#server/platform/log.ts'
import type { SchedulingCalendar } from '#server/records/slots/repository.ts'
import { checkSlot, isTimeTaken, type TimeNeeded } from '#server/records/slots/use-cases.ts'
import { type NewBooking, toPaymentTerms, toTimeNeeded } from './insert-booking.ts'
import type { LockedBooking } from './repository.ts'

type Body = z.output<typeof createBookingBody>

type WantedBooking = {
  readonly body: Pick<
    Body,
    'appointment_type_id' | 'starts_at' | 'time_zone' | 'title' | 'description' | 'customer'
  > &
    // Whoever accepts an offer has read its policy on the page of the offer.
    Partial<Pick<Body, 'policy_text'>>
  /** The time was held for this customer before: only what is there now stands against it. Source: rule Z8. */
  readonly isPromised?: boolean
  /** Why the time is to be held for now, and by whom; null when it is to be confirmed at once. */
  readonly hold: NewHold | null
  readonly nowMs: number
}

/**
 * Decides whether a customer may have a time, by every rule that the booking page has shown them. Under the locks of what is
 * booked, so that nothing changes before it is written. Source: rule T20.
 * @throws ProblemError `calendar.paused`, `booking.*`, `hold.*`, `payment.nothing_to_pay`
 */
export async function acceptCustomerBooking(
  deps: {
    readonly budgets: Pick<Budgets, 'amounts' | 'recordSpent'>
    readonly log: Pick<Log, 'warn'>
  },
  trx: Trx,
  locked: LockedBooking,
  { body, hold, nowMs, isPromised = false }: WantedBooking,
): Promise<NewBooking> {
  const { calendar, isAlone } = locked
  if (calendar.isPaused && !isPromised) throw new ProblemError('calendar.paused')
  const typeId = body.appointment_type_id ?? null
  const timeNeeded = toTimeNeeded(locked, { typeId, missing: 'booking.incomplete' })

  refuseOtherPolicy(locked, body.policy_text)

  const terms = toPaymentTerms(locked)
  if (hold === null && terms.mustPayFirst) throw new ProblemError('booking.payment_required')
  // The customer reads nothing of it: the two settle the payment between themselves. Source: rule B6.
  if (terms.lacksProvider) {
    deps.log.warn({ calendarId: calendar.id }, 'Payment is required but no provider is configured')
  }
  if (hold?.reason === 'payment' && terms.paymentStatus === 'not_required') {
    throw new ProblemError('payment.nothing_to_pay')
  }

  const startsAtMs = Date.parse(body.starts_at)
  const wanted = { calendar, timeNeeded, startsAtMs, nowMs, isAlone }
  const verdict = isPromised ? await judgePromised(trx, wanted) : await checkSlot(trx, wanted)
  if (verdict === 'location_taken') throw new ProblemError('booking.location_conflict')
  if (verdict === 'unavailable') throw new ProblemError('booking.slot_unavailable')

  if (hold !== null && hold.holder !== null) {
    const { reason, holder } = hold
    await refuseExcessiveHold(deps, trx, { ...wanted, reason, holder, calendarId: calendar.id })
  }

  const { name, email, phone } = body.customer
  return {
    locked,
    timeNeeded,
    startsAtMs,
    title: body.title,
    description: body.description,
    // A browser's zone that this server does not know is dropped, not refused: the calendar's is used instead.
    customer: { name, email, phone: phone || null, timeZone: findStoredZone(body.time_zone ?? '') },
    paymentStatus: terms.paymentStatus,
    hold,
    bookedBy: 'customer',
    nowMs,
  }
}

/** Nobody is bound to conditions that they have not read. Source: rule Q7. */
function refuseOtherPolicy({ calendar, type }: LockedBooking, read: string | null | undefined): void {
  if (read === null || read === undefined) return
  const hasPrice = (type?.priceCents ?? 0) > 0
  if (read !== describePolicy(type?.policy ?? calendar.policy, { hasPrice })) {
    throw new ProblemError('booking.policy_changed')
  }
}

/** Opening hours, the grid and the notice do not matter to a time that was promised, as long as it has not begun. Source: rule Z8. */
async function judgePromised(
  trx: Trx,
  {
    calendar,
    timeNeeded,
    startsAtMs,
    nowMs,
  }: {
    readonly calendar: SchedulingCalendar
    readonly timeNeeded: TimeNeeded
    readonly startsAtMs: number
    readonly nowMs: number
  },
): Promise<'open' | 'unavailable'> {
  if (startsAtMs <= nowMs) return 'unavailable'
  const { durationMinutes, conflictLocationId } = timeNeeded
  const isTaken = await isTimeTaken(trx, {
    calendarId: calendar.id,
    time: { startMs: startsAtMs, endMs: startsAtMs + durationMinutes * MINUTE_MS },
    bufferMinutes: calendar.rules.bufferMinutes,
    conflictLocationId,
    nowMs,
  })
  return isTaken ? 'unavailable' : 'open'
}
