import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { answerOnce, type Booked } from './answer-once.ts'
import { type BookableCalendar, lockBookableCalendar } from './repository.ts'
import { type BookingsDeps, refusingTakenTime } from './take-time.ts'

/**
 * What a customer asks of a public calendar: booked in one transaction under the calendar's lock, once for a key, and
 * answered before the commit, so that nothing can turn what is booked into a refusal.
 * @throws ProblemError `calendar.not_found`, `booking.*`, `request.key_reused`
 */
export function bookOnce<Answer>(
  deps: Pick<BookingsDeps, 'db' | 'now'>,
  { slug, key, body }: { slug: string; key: string | null; body: object },
  steps: {
    book: (trx: Trx, calendar: BookableCalendar, nowMs: number) => Promise<Booked>
    answer: (trx: Trx, booked: Booked) => Promise<Answer>
  },
): Promise<Answer> {
  return refusingTakenTime(() =>
    inTransaction(deps.db, async (trx) => {
      const calendar = await lockBookableCalendar(trx, { slug })
      if (calendar === null) throw new ProblemError('calendar.not_found')
      const nowMs = deps.now()
      const booked = await answerOnce(trx, { calendarId: calendar.id, key, body, nowMs }, () =>
        steps.book(trx, calendar, nowMs),
      )
      return steps.answer(trx, booked)
    }),
  )
}
