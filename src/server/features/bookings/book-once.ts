import type { CreateBookingResponse } from '#contract/bookings.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { answerOnce, type Booked } from './answer-once.ts'
import { toPublicAppointment } from './public-appointment.ts'
import {
  type AppointmentDetails,
  type BookableCalendar,
  type CalendarName,
  type Choice,
  lockCalendarAndChoice,
} from './repository.ts'
import { type BookingsDeps, refusingTakenTime } from './take-time.ts'

type BookingRequest = {
  readonly calendar: CalendarName
  readonly typeId: string | null
  /** The same key with the same body answers what it answered before, for 24 hours. */
  readonly key: string | null
  readonly body: object
}

/** What is booked of whom, locked until the transaction has ended. */
export type Locked = { readonly calendar: BookableCalendar; readonly choice: Choice }

/**
 * Books in one transaction under the calendar's lock and those of what is booked, whoever asks for it.
 * @throws ProblemError `calendar.not_found`, `booking.slot_unavailable`, `booking.location_conflict`, `request.key_reused`
 */
export function bookOnce(
  deps: BookingsDeps,
  request: BookingRequest,
  book: (trx: Trx, locked: Locked, nowMs: number) => Promise<Booked>,
): Promise<{ readonly details: AppointmentDetails; readonly response: CreateBookingResponse }> {
  const refusals = { time: 'booking.slot_unavailable', place: 'booking.location_conflict' } as const
  return refusingTakenTime(refusals, () =>
    inTransaction(deps.db, async (trx) => {
      const locked = await lockCalendarAndChoice(trx, request.calendar, request.typeId)
      if (locked === null) throw new ProblemError('calendar.not_found')
      const nowMs = deps.now()
      const { key, body } = request
      // What the answer says is read before the commit: once it is booked, nothing may turn it into a refusal.
      const { details, confirmationEmailQueued: confirmation_email_queued } = await answerOnce(
        trx,
        { calendarId: locked.calendar.id, key, body, nowMs },
        () => book(trx, locked, nowMs),
      )
      return {
        details,
        response: { ...toPublicAppointment(details, deps.baseUrl), confirmation_email_queued },
      }
    }),
  )
}
