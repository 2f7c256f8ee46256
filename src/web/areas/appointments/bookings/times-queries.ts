import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { callApi } from '#web/shared/call-api.ts'
import type { WindowEnd } from './bookable-dates.ts'

/** The calendar and type whose times are requested, and the zone in which they are shown. */
export type AvailableTimesRequest = {
  slug: string
  /** The appointment type's id; null if the calendar has no types. */
  typeId: string | null
  shownZone: string
  hourCycle: HourCycle
  /** The end of the booking window; null when there is none. */
  until: WindowEnd | null
}

/** The days (in the shown zone), marked as having a free time or being full. Days that were not requested are missing. */
export type DayAvailability = Readonly<Record<string, 'free' | 'full'>>

/** Marks each day as having a free time or being full. */
export function toDayAvailability(
  days: readonly { readonly date: string; readonly open_slots: number }[],
): DayAvailability {
  return Object.fromEntries(days.map(({ date, open_slots }) => [date, open_slots > 0 ? 'free' : 'full']))
}

/** True if days were loaded and none of them has a free time. */
export function hasNoFreeDay(days: DayAvailability): boolean {
  const marks = Object.values(days)
  return marks.includes('full') && !marks.includes('free')
}

/**
 * Maximum age of loaded free times before they are refetched, and interval at which an open page refetches them, in
 * milliseconds. Source: rule T30.
 */
export const TIMES_STALE_AFTER_MS = 60_000
const ASK_AGAIN_MS = 5 * 60_000

/** The prefix of all query keys for a calendar's times, which are invalidated together when a time turns out to be taken. */
export function availableTimesKey(slug: string) {
  return ['times', slug] as const
}

/** The free times of one day in the shown zone, earliest first, or the owner's note if there are none. */
export function timesOfDayQuery({ slug, typeId, shownZone }: AvailableTimesRequest, date: string) {
  return queryOptions({
    queryKey: [...availableTimesKey(slug), typeId, 'day', shownZone, date],
    queryFn: ({ signal }) => {
      const query = { date, appointment_type_id: typeId, time_zone: shownZone }
      return callApi(at.getPublicAvailableTimeSlotsWithGoogle, { params: { slug }, query, signal })
    },
    staleTime: TIMES_STALE_AFTER_MS,
    refetchInterval: ASK_AGAIN_MS,
  })
}

/** The next free times, grouped by day in the shown zone. Source: rule T33. */
export function firstAvailableTimesQuery({ slug, typeId, shownZone }: AvailableTimesRequest) {
  return queryOptions({
    queryKey: [...availableTimesKey(slug), typeId, 'first', shownZone],
    queryFn: async ({ signal }) => {
      const query = { appointment_type_id: typeId, time_zone: shownZone }
      return (await callApi(at.listFirstAvailableTimes, { params: { slug }, query, signal })).days
    },
    staleTime: TIMES_STALE_AFTER_MS,
    refetchInterval: ASK_AGAIN_MS,
  })
}

/** The days from `from` to `to` (in the shown zone), each marked as having a free time or being full. */
export function dayAvailabilityQuery(
  { slug, typeId, shownZone }: AvailableTimesRequest,
  from: string,
  to: string,
) {
  return queryOptions({
    queryKey: [...availableTimesKey(slug), typeId, 'marks', shownZone, from, to],
    queryFn: async ({ signal }) => {
      const query = { from, to, appointment_type_id: typeId, time_zone: shownZone }
      const { days } = await callApi(at.listPublicAvailableDays, { params: { slug }, query, signal })
      return toDayAvailability(days)
    },
    staleTime: TIMES_STALE_AFTER_MS,
    refetchInterval: ASK_AGAIN_MS,
  })
}
