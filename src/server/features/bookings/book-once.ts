import type { CreateBookingResponse } from '#contract/bookings.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { answerOnce, type Booked } from './answer-once.ts'
import { toPublicAppointment } from './public-appointment.ts'
import {
  type AppointmentDetails,
  type BookableCalendar,
  findAppointmentDetails,
  lockBookableCalendar,
} from './repository.ts'
import { type BookingsDeps, refusingTakenTime } from './take-time.ts'

type BookingRequest = {
  readonly calendar: { readonly slug: string } | { readonly id: string }
  /** The same key with the same body answers what it answered before, for 24 hours. */
  readonly key: string | null
  readonly body: object
}

/**
 * Books in one transaction under the calendar's lock, whoever asks for it, and answers before the commit: once it is
 * booked, nothing may turn the answer into a refusal.
 * @throws ProblemError `calendar.not_found`, `booking.slot_unavailable`, `booking.location_conflict`, `request.key_reused`
 */
export function bookOnce<Answer>(
  deps: Pick<BookingsDeps, 'db' | 'now'>,
  { calendar: named, key, body }: BookingRequest,
  steps: {
    book: (trx: Trx, calendar: BookableCalendar, nowMs: number) => Promise<Booked>
    answer: (trx: Trx, booked: Booked) => Promise<Answer>
  },
): Promise<Answer> {
  const refusals = { time: 'booking.slot_unavailable', place: 'booking.location_conflict' } as const
  return refusingTakenTime(refusals, () =>
    inTransaction(deps.db, async (trx) => {
      const calendar = await lockBookableCalendar(trx, named)
      if (calendar === null) throw new ProblemError('calendar.not_found')
      const nowMs = deps.now()
      const booked = await answerOnce(trx, { calendarId: calendar.id, key, body, nowMs }, () =>
        steps.book(trx, calendar, nowMs),
      )
      return steps.answer(trx, booked)
    }),
  )
}

/** How a booking is answered that is not paid first: with the appointment, as whoever holds its id may see it. */
export async function answerBooked(
  { baseUrl }: Pick<BookingsDeps, 'baseUrl'>,
  trx: Trx,
  { appointmentId, confirmationEmailQueued }: Booked,
): Promise<{ readonly details: AppointmentDetails; readonly response: CreateBookingResponse }> {
  const details = await findAppointmentDetails(trx, appointmentId)
  if (details === null) throw new ProblemError('appointment.not_found')
  const response = {
    ...toPublicAppointment(details, baseUrl),
    confirmation_email_queued: confirmationEmailQueued,
  }
  return { details, response }
}
