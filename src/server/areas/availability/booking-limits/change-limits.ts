import { type BookingLimit, LIMITS_PER_CALENDAR } from '#core/slots/booking-limits.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { countLimitRows, type LimitsKey, replaceLimits } from './repository.ts'

/**
 * Changes the limits of a locked calendar, or of one of its types; undefined leaves them. Appointments stay. Source: rule T54.
 * @throws ProblemError `booking_limits.too_many`
 */
export async function changeLimits(
  trx: Trx,
  key: LimitsKey,
  limits: readonly BookingLimit[] | undefined,
): Promise<void> {
  if (limits === undefined) return
  await replaceLimits(trx, key, limits)
  if (limits.length > 0 && (await countLimitRows(trx, key.calendarId)) > LIMITS_PER_CALENDAR) {
    throw new ProblemError('booking_limits.too_many')
  }
}
