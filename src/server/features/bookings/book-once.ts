import type { CreateBookingResponse } from '#contract/bookings.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { answerOnce, type Booked } from './answer-once.ts'
import { toPublicAppointment } from './public-appointment.ts'
import { type AppointmentDetails, type BookableCalendar, lockBookableCalendar } from './repository.ts'
import { type BookingsDeps, refusingTakenTime } from './take-time.ts'

type BookingRequest = {
  readonly calendar: { readonly slug: string } | { readonly id: string }
  /** The same key with the same body answers what it answered before, for 24 hours. */
  readonly key: string | null
  readonly body: object
}

/**
 * Books in one transaction under the calendar's lock, whoever asks for it.
 * @throws ProblemError `calendar.not_found`, `booking.slot_unavailable`, `booking.location_conflict`, `request.key_reused`
 */
export function bookOnce(
  deps: BookingsDeps,
  request: BookingRequest,
  book: (trx: Trx, calendar: BookableCalendar, nowMs: number) => Promise<Booked>,
): Promise<{ readonly details: AppointmentDetails; readonly response: CreateBookingResponse }> {
  const refusals = { time: 'booking.slot_unavailable', place: 'booking.location_conflict' } as const
  return refusingTakenTime(refusals, () =>
    inTransaction(deps.db, async (trx) => {
      const calendar = await lockBookableCalendar(trx, request.calendar)
      if (calendar === null) throw new ProblemError('calendar.not_found')
      const nowMs = deps.now()
      const { key, body } = request
      // What the answer says is read before the commit: once it is booked, nothing may turn it into a refusal.
      const { details, confirmationEmailQueued: confirmation_email_queued } = await answerOnce(
        trx,
        { calendarId: calendar.id, key, body, nowMs },
        () => book(trx, calendar, nowMs),
      )
      return {
        details,
        response: { ...toPublicAppointment(details, deps.baseUrl), confirmation_email_queued },
      }
    }),
  )
}
