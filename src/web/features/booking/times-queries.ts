import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { DaysResponse, Slot, SlotsResponse } from '#contract/slots.ts'
import { getJson } from '#web/shared/api-client.ts'
import { calendarDatesOf, dateOfInstant } from './shown-day.ts'

/** Which times are asked for, and in whose zone they are shown. */
export type TimesQuestion = {
  slug: string
  /** null when the calendar has no types. */
  typeId: string | null
  shownZone: string
  calendarZone: string
}

/** Whether a day of the shown zone has a free time. A day that could not be asked about has no mark. */
export type DayMarks = Readonly<Record<string, 'free' | 'full'>>

/** How long an answer counts as fresh, and how often an open page asks again. Source: spec §9 "Slots". */
const FRESH_MS = 60_000
const ASK_AGAIN_MS = 5 * 60_000

/** Everything known about the times of a calendar; invalidated as one when a time turns out to be gone. */
export function timesKey(slug: string) {
  return ['times', slug] as const
}

/** The free times of one day of the shown zone, earliest first. */
export function dayTimesQuery(question: TimesQuestion, date: string) {
  return queryOptions({
    queryKey: [...timesKey(question.slug), question.typeId, 'day', question.shownZone, date],
    queryFn: ({ client }) => listTimes(client, question, date),
    refetchInterval: ASK_AGAIN_MS,
  })
}

/** Which days of the shown zone, `from` to `to`, have a free time. */
export function dayMarksQuery(question: TimesQuestion, dates: readonly string[]) {
  return queryOptions({
    queryKey: [
      ...timesKey(question.slug),
      question.typeId,
      'marks',
      question.shownZone,
      dates[0],
      dates.at(-1),
    ],
    queryFn: ({ client, signal }) => markDays(client, question, dates, signal),
    staleTime: FRESH_MS,
    refetchInterval: ASK_AGAIN_MS,
  })
}

/** One day of the calendar's own zone: the only thing the server is asked for times, so the answers are shared. */
function calendarDayQuery({ slug, typeId }: TimesQuestion, date: string) {
  return queryOptions({
    queryKey: [...timesKey(slug), typeId, 'calendar-day', date],
    queryFn: () => getJson<SlotsResponse>(timesPath(slug, 'slots', { date, appointment_type_id: typeId })),
    staleTime: FRESH_MS,
  })
}

async function listTimes(client: QueryClient, question: TimesQuestion, date: string): Promise<Slot[]> {
  const { shownZone, calendarZone } = question
  const days = await Promise.all(
    calendarDatesOf(date, shownZone, calendarZone).map((day) =>
      client.fetchQuery(calendarDayQuery(question, day)),
    ),
  )
  return days
    .flatMap(({ slots }) => slots)
    .filter(({ starts_at }) => dateOfInstant(starts_at, shownZone) === date)
    .sort((a, b) => Date.parse(a.starts_at) - Date.parse(b.starts_at))
}

/**
 * Counts per calendar day are enough in the calendar's own zone. In another zone a count does not tell on which of two
 * shown days its times fall, so the times of the open days are read as well; choosing a day then needs no request.
 * An answer that is missing leaves the day unmarked: a day with a free time is never marked as full.
 */
async function markDays(
  client: QueryClient,
  question: TimesQuestion,
  dates: readonly string[],
  signal: AbortSignal,
): Promise<DayMarks> {
  const { slug, typeId, shownZone, calendarZone } = question
  const touched = dates.map((date) => calendarDatesOf(date, shownZone, calendarZone))
  const range = { from: touched[0]?.[0], to: touched.at(-1)?.at(-1), appointment_type_id: typeId }
  const { days } = await getJson<DaysResponse>(timesPath(slug, 'days', range), signal)

  const freeDates = new Map<string, ReadonlySet<string> | null>()
  await Promise.all(
    days.map(async ({ date, open_slots }) => {
      if (open_slots === 0) {
        freeDates.set(date, new Set())
        client.setQueryData(calendarDayQuery(question, date).queryKey, {
          date,
          time_zone: calendarZone,
          slots: [],
        })
      } else if (shownZone === calendarZone) freeDates.set(date, new Set([date]))
      else freeDates.set(date, await findShownDates(client, question, date))
    }),
  )
  const marks: Record<string, 'free' | 'full'> = {}
  dates.forEach((date, index) => {
    const known = touched[index]?.map((day) => freeDates.get(day)) ?? []
    if (known.some((free) => free?.has(date))) marks[date] = 'free'
    else if (known.every((free) => free)) marks[date] = 'full'
  })
  return marks
}

/** The days of the shown zone on which the times of a calendar day fall; null when they could not be read. */
async function findShownDates(client: QueryClient, question: TimesQuestion, date: string) {
  try {
    const { slots } = await client.fetchQuery(calendarDayQuery(question, date))
    return new Set(slots.map(({ starts_at }) => dateOfInstant(starts_at, question.shownZone)))
  } catch {
    return null
  }
}

function timesPath(
  slug: string,
  what: 'slots' | 'days',
  values: Record<string, string | null | undefined>,
): string {
  const given = Object.entries(values).filter((entry): entry is [string, string] => Boolean(entry[1]))
  return `/api/public/calendars/${encodeURIComponent(slug)}/${what}?${new URLSearchParams(given)}`
}
