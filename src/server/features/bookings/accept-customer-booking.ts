import type { z } from 'zod'
import type { createBookingBody } from '#contract/bookings.ts'
import { findStoredZone } from '#contract/stored-zone.ts'
import { type NewHold, refuseExcessiveHold } from '#server/features/holds/use-cases.ts'
import { judgeSlot } from '#server/features/slots/use-cases.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { type NewBooking, toPaymentTerms, toTimeNeeded } from './insert-booking.ts'
import type { LockedBooking } from './repository.ts'

type WantedBooking = {
  readonly body: z.output<typeof createBookingBody>
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
  deps: { readonly budgets: Pick<Budgets, 'amounts' | 'recordSpent'> },
  trx: Trx,
  locked: LockedBooking,
  { body, hold, nowMs }: WantedBooking,
): Promise<NewBooking> {
  const { calendar } = locked
  if (calendar.isPaused) throw new ProblemError('calendar.paused')
  const typeId = body.appointment_type_id ?? null
  const timeNeeded = toTimeNeeded(locked, { typeId, missing: 'booking.incomplete' })

  const terms = toPaymentTerms(locked)
  if (hold === null && terms.mustPayFirst) throw new ProblemError('booking.payment_required')
  if (hold?.reason === 'payment' && terms.paymentStatus === 'not_required') {
    throw new ProblemError('payment.nothing_to_pay')
  }

  const startsAtMs = Date.parse(body.starts_at)
  const verdict = await judgeSlot(trx, { calendar, timeNeeded, startsAtMs, nowMs })
  if (verdict === 'location_taken') throw new ProblemError('booking.location_conflict')
  if (verdict === 'unavailable') throw new ProblemError('booking.slot_unavailable')

  if (hold !== null && hold.holder !== null) {
    const { holder } = hold
    const wanted = { holder, calendar, calendarId: calendar.id, timeNeeded, startsAtMs, nowMs }
    await refuseExcessiveHold(deps, trx, wanted)
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
