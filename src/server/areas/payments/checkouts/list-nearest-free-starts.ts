import { addDays } from '#core/shared/calendar-date.ts'
import { localDateOf, toRfc3339 } from '#core/shared/zoned-time.ts'
import { pickSpreadStarts } from '#core/slots/spread-times.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import { getSlotsByDay } from '#server/records/slots/use-cases.ts'
import type { CheckoutsDeps } from './find-payment-account.ts'

/**
 * `NEAR_TIMES` is the number of times to suggest. `DAYS_AROUND` is the number of days before and after the lost time
 * that are searched. Source: rule P10.
 */
const NEAR_TIMES = 3
const DAYS_AROUND = 7

/**
 * Lists free starts near the time of an appointment that lost it, spread over days and times of day; empty when its type
 * was deleted. Source: rule P10.
 */
export async function listNearestFreeStarts(
  deps: Pick<CheckoutsDeps, 'db' | 'now'>,
  details: Appointment,
): Promise<string[]> {
  const wantedMs = details.starts_at.getTime()
  // Do not suggest past times: a customer who paid after the appointment's time gets times from now on.
  const aroundMs = Math.max(wantedMs, deps.now())
  const date = localDateOf(aroundMs, details.time_zone)
  try {
    const { days } = await getSlotsByDay(deps, {
      slug: details.slug,
      appointmentTypeId: details.appointment_type_id ?? undefined,
      firstDate: addDays(date, -DAYS_AROUND),
      dayCount: 2 * DAYS_AROUND + 1,
    })
    const starts = days.flatMap(({ slots }) => slots.map(({ starts_at }) => Date.parse(starts_at)))
    const nearest = starts.toSorted((a, b) => Math.abs(a - wantedMs) - Math.abs(b - wantedMs))
    return pickSpreadStarts(nearest, NEAR_TIMES, details.time_zone).map(toRfc3339)
  } catch (error) {
    if (error instanceof ProblemError) return []
    throw error
  }
}
