import type { CreateBookingResponse } from '#contract/bookings.ts'
import { listRows } from '#server/platform/db/prepared-statement.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { answerAgain, type Booked, KEY_LIFE_MS, type KeyedRequest, toKeyedRequest } from './answer-once.ts'
import { compileFindAnswer } from './answer-repository.ts'
import { toPublicAppointment } from './public-appointment.ts'
import {
  type AppointmentDetails,
  type BookableCalendar,
  type CalendarName,
  type Choice,
  lockCalendarAndChoice,
} from './repository.ts'
import { type BookingsDeps, refusingTakenTime } from './take-time.ts'

export type BookingRequest = {
  readonly calendar: CalendarName
  readonly typeId: string | null
  /**
   * For 24 hours, a request with this key and the same body gets the same answer. A refusal does not use the key up.
   * Source: rule X2.
   */
  readonly key: string | null
  readonly body: object
}

/** What is booked, and on which calendar, locked until the transaction has ended. */
export type Locked = {
  readonly calendar: BookableCalendar
  readonly choice: Choice
  /** The request that may be repeated; its answer is stored with the booking. */
  readonly request: KeyedRequest | null
}

export type BookedOnce = {
  /** The request was sent before; this is the answer that it got. */
  readonly isRepeat: boolean
  readonly details: AppointmentDetails
  readonly response: CreateBookingResponse
}

/**
 * Books in one transaction under the locks of the calendar, the type and the location, for customers and owners alike.
 * @throws ProblemError `calendar.not_found`, `booking.slot_unavailable`, `booking.location_conflict`,
 *   `request.key_reused`
 */
export function bookOnce(
  deps: BookingsDeps,
  request: BookingRequest,
  book: (trx: Trx, locked: Locked, nowMs: number) => Promise<Booked>,
): Promise<BookedOnce> {
  const { calendar, typeId, key, body } = request
  const keyed = key === null ? null : toKeyedRequest(key, body)
  const refusals = { time: 'booking.slot_unavailable', place: 'booking.location_conflict' } as const
  return refusingTakenTime(refusals, () =>
    inTransaction(deps.db, async (trx) => {
      const answers = keyed === null ? [] : [compileFindAnswer(calendar, keyed.key, oldestKey(deps))]
      const locked = await lockCalendarAndChoice(trx, calendar, typeId, answers)
      if (locked === null) throw new ProblemError('calendar.not_found')
      const before = locked.answers[0]?.[0]
      // What the answer says is read before the commit: once it is booked, nothing may turn it into a refusal.
      const { details, confirmationEmailQueued: confirmation_email_queued } =
        keyed !== null && before !== undefined
          ? await answerAgain(trx, keyed, before)
          : await book(trx, { ...locked, request: keyed }, deps.now())
      return {
        isRepeat: keyed !== null && before !== undefined,
        details,
        response: { ...toPublicAppointment(details, deps.baseUrl), confirmation_email_queued },
      }
    }),
  )
}

/** Whether this request was sent before and has an answer. Nothing is locked, so that booking asks again. */
export async function wasAnswered(
  deps: Pick<BookingsDeps, 'db' | 'now'>,
  { calendar, key }: Pick<BookingRequest, 'calendar' | 'key'>,
): Promise<boolean> {
  if (key === null) return false
  return (await listRows(deps.db, compileFindAnswer(calendar, key, oldestKey(deps)))).length > 0
}

function oldestKey({ now }: Pick<BookingsDeps, 'now'>): Date {
  return new Date(now() - KEY_LIFE_MS)
}
