import { queryOptions } from '@tanstack/react-query'
import * as at from '#contract/operations/addresses.ts'
import { callApi } from '#web/shared/call-api.ts'

/** Which times are asked for, and in whose zone they are shown. */
export type TimesQuestion = {
  slug: string
  /** null when the calendar has no types. */
  typeId: string | null
  shownZone: string
}

/** Whether a day of the shown zone has a free time. A day that could not be asked about has no mark. */
export type DayMarks = Readonly<Record<string, 'free' | 'full'>>

/** How long an answer counts as fresh, and how often an open page asks again. Source: rule T30. */
const FRESH_MS = 60_000
const ASK_AGAIN_MS = 5 * 60_000

/** Everything known about the times of a calendar; invalidated as one when a time turns out to be gone. */
export function timesKey(slug: string) {
  return ['times', slug] as const
}

/** The free times of one day of the shown zone, earliest first. */
export function dayTimesQuery({ slug, typeId, shownZone }: TimesQuestion, date: string) {
  return queryOptions({
    queryKey: [...timesKey(slug), typeId, 'day', shownZone, date],
    queryFn: async ({ signal }) => {
      const query = { date, appointment_type_id: typeId, time_zone: shownZone }
      const answer = await callApi(at.getPublicAvailableTimeSlotsWithGoogle, {
        params: { slug },
        query,
        signal,
      })
      return answer.slots
    },
    staleTime: FRESH_MS,
    refetchInterval: ASK_AGAIN_MS,
  })
}

/** The first free times, by days of the shown zone. Source: rule T33. */
export function firstTimesQuery({ slug, typeId, shownZone }: TimesQuestion) {
  return queryOptions({
    queryKey: [...timesKey(slug), typeId, 'first', shownZone],
    queryFn: async ({ signal }) => {
      const query = { appointment_type_id: typeId, time_zone: shownZone }
      return (await callApi(at.listFirstAvailableTimes, { params: { slug }, query, signal })).days
    },
    staleTime: FRESH_MS,
    refetchInterval: ASK_AGAIN_MS,
  })
}

/** Which days of the shown zone, `from` to `to`, have a free time. */
export function dayMarksQuery({ slug, typeId, shownZone }: TimesQuestion, from: string, to: string) {
  return queryOptions({
    queryKey: [...timesKey(slug), typeId, 'marks', shownZone, from, to],
    queryFn: async ({ signal }): Promise<DayMarks> => {
      const query = { from, to, appointment_type_id: typeId, time_zone: shownZone }
      const { days } = await callApi(at.listPublicAvailableDays, { params: { slug }, query, signal })
      return Object.fromEntries(days.map(({ date, open_slots }) => [date, open_slots > 0 ? 'free' : 'full']))
    },
    staleTime: FRESH_MS,
    refetchInterval: ASK_AGAIN_MS,
  })
}
