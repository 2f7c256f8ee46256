import { listNearest } from '#core/scheduling/near-times.ts'
import { addDays } from '#core/shared/calendar-date.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { AppointmentDetails } from '#server/records/appointments/details-repository.ts'
import { getSlotsOfDays } from '#server/records/slots/use-cases.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'

/**
 * How many are named, and how far from the lost one they are searched: from a week before it to a week after it.
 * Source: rule P10.
 */
const NEAR = 3
const DAYS_AROUND = 7

/** The free starts nearest to an appointment that could not be had; none when its type is gone. Source: rule P10. */
export async function listNearTimes(
  deps: Pick<CheckoutsDeps, 'db' | 'now'>,
  details: AppointmentDetails,
): Promise<string[]> {
  const wantedMs = details.starts_at.getTime()
  // Past times are not offered: a customer who paid after the time itself sees the days from now on.
  const aroundMs = Math.max(wantedMs, deps.now())
  const date = localDateOf(aroundMs, details.time_zone)
  try {
    const { days } = await getSlotsOfDays(deps, {
      slug: details.slug,
      appointmentTypeId: details.appointment_type_id ?? undefined,
      firstDate: addDays(date, -DAYS_AROUND),
      dayCount: 2 * DAYS_AROUND + 1,
    })
    const starts = days.flatMap(({ slots }) => slots.map(({ starts_at }) => Date.parse(starts_at)))
    return listNearest(starts, wantedMs, NEAR).map((startMs) => new Date(startMs).toISOString())
  } catch (error) {
    if (error instanceof ProblemError) return []
    throw error
  }
}
