import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import * as at from '#contract/operations/addresses.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { callApi } from '#web/shared/call-api.ts'
import { focusAndScrollTo } from '#web/shared/focus-and-scroll-to.ts'
import { formatDateHeading, formatTime, formatZone, localDateOf } from '#web/shared/format-date.ts'
import { SlotButtons } from '#web/shared/slot-buttons.tsx'
import { isNarrowScreen } from '#web/shared/use-is-narrow.ts'
import { getBookableDates, shownWeeksOf } from './bookable-dates.ts'
import { FiveWeekCalendar } from './five-week-calendar.tsx'
import { NextFreeDay } from './next-free-day.tsx'
import { LoadingTimes, RetryNotice, TimesMessage } from './times-message.tsx'
import { hasNoFreeDay, TIMES_STALE_AFTER_MS, toDayAvailability } from './times-queries.ts'

type MoveTimesProps = {
  /** The signed link's token, which identifies the customer's page. */
  token: string
  /** The appointment's current start, which is marked among the times. */
  startsAt: string
  /** The instant whose day is shown first, which is not a day on which the owner is away. Source: rule A23. */
  opensAt: string
  /** The time zone in which the page shows times. */
  timeZone: string
  hourCycle: HourCycle
  selected: string | null
  /** Called with the chosen time, or with null when the customer chooses another day, because its times differ. */
  onSelect: (startsAt: string | null) => void
  /** Called when the selected time is not among the free times of its day. */
  onGone: () => void
}

/** Lets a customer choose a new day and time for their appointment. Source: rule A19. */
export function NewTimeSelection({
  token,
  startsAt,
  opensAt,
  timeZone,
  hourCycle,
  selected,
  onSelect,
  onGone,
}: MoveTimesProps) {
  const { today, lastDate } = getBookableDates(timeZone)
  const ownDate = localDateOf(startsAt, timeZone)
  const [date, setDate] = useState(localDateOf(opensAt, timeZone))
  const [shownDate, setShownDate] = useState(date)
  const { start, from, to } = shownWeeksOf(shownDate, { today, lastDate })
  const client = useQueryClient()
  const request = { token, startsAt, timeZone }
  const { data: marks = {} } = useQuery(moveMarksQuery(request, from, to))
  const { data, error, isFetching, refetch } = useQuery(moveTimesQuery(request, date))
  const slots = data?.filter((slot) => Date.parse(slot.starts_at) !== Date.parse(startsAt))
  const isGone =
    selected !== null &&
    slots !== undefined &&
    localDateOf(selected, timeZone) === date &&
    Date.parse(selected) !== Date.parse(startsAt) &&
    !slots.some((slot) => Date.parse(slot.starts_at) === Date.parse(selected))
  useEffect(() => {
    if (isGone) onGone()
  }, [isGone, onGone])
  const chooseDate = (chosen: string) => {
    if (chosen !== date) onSelect(null)
    flushSync(() => setDate(chosen))
    // On a phone, scroll to the times, because they are below the days and off the screen. Source: rule B29.
    if (isNarrowScreen()) focusAndScrollTo(document.getElementById('move-times'))
  }
  const isFull = hasNoFreeDay(marks)
  return (
    <div className="grid gap-x-8 gap-y-6 md:grid-cols-2">
      <div>
        <FiveWeekCalendar
          start={start}
          onShow={setShownDate}
          selected={date}
          onSelect={chooseDate}
          today={today}
          lastDate={lastDate}
          marks={marks}
        />
        <div role="status" className="mt-1 text-sm text-ink-soft">
          {isFull && 'No times in these weeks.'}
        </div>
        {isFull && to < lastDate && (
          <NextFreeDay
            {...{ to, lastDate }}
            fetchDays={(first, last) => client.fetchQuery(moveMarksQuery(request, first, last))}
            shown={[startsAt, timeZone, shownDate, date].join()}
            onFound={setShownDate}
          />
        )}
      </div>
      <section aria-labelledby="move-times" className="flex flex-col gap-3">
        <div>
          <h3 id="move-times" tabIndex={-1} className="scroll-mt-20 rounded-sm text-lg">
            {formatDateHeading(date)}
          </h3>
          <p className="text-sm text-ink-soft">{formatZone(timeZone, `${date}T12:00:00Z`)}</p>
        </div>
        {date === ownDate && (
          <p className="flex min-h-11 items-center justify-center rounded-control border border-dashed border-line-strong px-3 text-ink-soft">
            <span className="font-medium tabular-nums line-through">
              {formatTime(startsAt, timeZone, hourCycle)}
            </span>
            <span className="ms-2">your time now</span>
          </p>
        )}
        <div role="status">
          {slots === undefined && error === null && <LoadingTimes />}
          {slots?.length === 0 && <TimesMessage>No available times for this date</TimesMessage>}
          {slots !== undefined && slots.length > 0 && (
            <span className="sr-only">
              {slots.length} available {slots.length === 1 ? 'time' : 'times'}
            </span>
          )}
        </div>
        {slots === undefined && error !== null && (
          <RetryNotice isFetching={isFetching} refetch={refetch}>
            {error.message}
          </RetryNotice>
        )}
        <SlotButtons slots={slots ?? []} {...{ timeZone, hourCycle, selected, onSelect }} />
      </section>
    </div>
  )
}

type MoveTimesRequest = Pick<MoveTimesProps, 'token' | 'startsAt' | 'timeZone'>

function moveTimesQuery({ token, startsAt, timeZone }: MoveTimesRequest, date: string) {
  return queryOptions({
    queryKey: ['managed-appointment', token, 'times', startsAt, timeZone, date],
    queryFn: async ({ signal }) => {
      const query = { date, time_zone: timeZone }
      return (await callApi(at.listMoveSlots, { params: { token }, query, signal })).slots
    },
    staleTime: TIMES_STALE_AFTER_MS,
  })
}

function moveMarksQuery({ token, startsAt, timeZone }: MoveTimesRequest, from: string, to: string) {
  return queryOptions({
    queryKey: ['managed-appointment', token, 'marks', startsAt, timeZone, from, to],
    queryFn: async ({ signal }) => {
      const query = { from, to, time_zone: timeZone }
      const { days } = await callApi(at.listMoveDays, { params: { token }, query, signal })
      return toDayAvailability(days)
    },
    staleTime: TIMES_STALE_AFTER_MS,
  })
}
