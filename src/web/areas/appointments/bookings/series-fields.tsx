import { useQuery } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import type { PublicSeriesPlan } from '#contract/appointments/series.ts'
import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import * as at from '#contract/operations/addresses.ts'
import { describeBookedDates, labelInterval } from '#core/slots/series-rule.ts'
import { callApi } from '#web/shared/call-api.ts'
import { formatDay, formatShortDay, formatTime, localDateOf } from '#web/shared/format-date.ts'
import { TimeButtons } from '#web/shared/slot-buttons.tsx'
import { CONTROL_CLASS, FieldFrame } from '#web/ui/field-frame.tsx'
import { type BookingDraft, type DraftSeries, findDraftSeries } from './booking-draft.ts'
import { RetryNotice, TimesMessage } from './times-message.tsx'
import { type AvailableTimesRequest, TIMES_STALE_AFTER_MS } from './times-queries.ts'

export type SeriesProps = {
  rule: NonNullable<PublicAppointmentType['series']>
  request: AvailableTimesRequest
  draft: BookingDraft
  onChange: (series: DraftSeries | undefined) => void
}

/** The number of dates when the customer starts to repeat the appointment. */
const FIRST_COUNT = 6

/**
 * Lets the customer repeat the chosen time every few weeks. Shows for each date whether it is free, with other times if it is not.
 * Source: rule B48.
 */
export function SeriesFields({ rule, request, draft, onChange }: SeriesProps) {
  const id = useId()
  const { slug, typeId } = request
  const { startsAt } = draft
  const series = findDraftSeries(draft)
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['booking-page', slug, 'series', typeId, startsAt, series?.every_weeks, series?.count],
    queryFn: ({ signal }) => {
      const { every_weeks = 1, count = 0 } = series ?? {}
      const query = {
        appointment_type_id: typeId ?? '',
        starts_at: startsAt ?? '',
        every_weeks,
        count,
      }
      return callApi(at.planPublicSeries, { params: { slug }, query, signal })
    },
    enabled: series !== undefined,
    staleTime: TIMES_STALE_AFTER_MS,
    retry: false,
  })
  const dates = series && data ? chooseDates(data.dates, series.choices) : []
  // Runs after each render, because what is chosen depends on the loaded dates and on the customer's choices.
  useEffect(() => {
    if (series && JSON.stringify(series.dates) !== JSON.stringify(dates)) onChange({ ...series, dates })
  })
  if (startsAt === null) return null
  const ask = (weeks: number, count: number) => {
    const every_weeks = rule.every_weeks.find((offered) => offered === weeks)
    onChange(every_weeks && { from: startsAt, every_weeks, count, choices: {}, dates: [] })
  }
  const [weeks, count] = [series?.every_weeks ?? 0, series?.count ?? Math.min(FIRST_COUNT, rule.most_dates)]
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <h2 id={id} className="text-xl">
        Repeat
      </h2>
      <div className="grid gap-4 sm:grid-cols-2">
        <Choice
          label="How often"
          value={weeks}
          options={[
            [0, 'Just once'],
            ...rule.every_weeks.map((every) => [every, labelInterval(every)] as const),
          ]}
          onChange={(every) => ask(every, count)}
        />
        {series && (
          <Choice
            label="Number of dates"
            value={count}
            options={Array.from({ length: rule.most_dates - 1 }, (_, i) => [i + 2, `${i + 2}`] as const)}
            onChange={(chosen) => ask(weeks, chosen)}
          />
        )}
      </div>
      {series &&
        (data ? (
          <>
            <p role="status" className="font-semibold">
              {describeBookedDates(dates.length + 1, count)}
            </p>
            <ol className="divide-y divide-line rounded-control border border-line px-3">
              {data.dates.map((date, i) => (
                <li key={date.starts_at} className="grid gap-2 py-2.5">
                  <SeriesDate
                    date={date}
                    chosen={i === 0 ? startsAt : startOf(dates, i + 1)}
                    isFirst={i === 0}
                    request={request}
                    onChoose={(start) =>
                      onChange({ ...series, choices: { ...series.choices, [i + 1]: start } })
                    }
                  />
                </li>
              ))}
            </ol>
          </>
        ) : error ? (
          <RetryNotice isFetching={isFetching} refetch={refetch}>
            {error.message}
          </RetryNotice>
        ) : (
          <TimesMessage>Checking all dates...</TimesMessage>
        ))}
    </section>
  )
}

type ChoiceProps = {
  label: string
  value: number
  options: readonly (readonly [value: number, label: string])[]
  onChange: (value: number) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <FieldFrame id={id} label={label}>
      <select
        id={id}
        className={CONTROL_CLASS}
        value={value}
        onChange={({ target }) => onChange(Number(target.value))}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </FieldFrame>
  )
}

type Planned = PublicSeriesPlan['dates'][number]

type SeriesDateProps = {
  date: Planned
  /** The start to book; null if the date is left out. */
  chosen: string | null
  /** True for the date of the form, which is always booked. */
  isFirst: boolean
  request: AvailableTimesRequest
  onChoose: (startsAt: string | null) => void
}

function SeriesDate({ date, chosen, isFirst, request, onChoose }: SeriesDateProps) {
  const { starts_at, is_free, near_times } = date
  const { shownZone, hourCycle } = request
  const day = localDateOf(starts_at, shownZone)
  const timeOf = (start: string) => formatTime(start, shownZone, hourCycle)
  const isOpen = is_free || isFirst
  const nearLabel = (start: string) => {
    const nearDay = localDateOf(start, shownZone)
    return nearDay === day ? timeOf(start) : `${formatShortDay(nearDay)}, ${timeOf(start)}`
  }
  return (
    <>
      <label className="flex items-start gap-3">
        <input
          type="checkbox"
          className="check-box"
          checked={chosen === starts_at || isFirst}
          disabled={!isOpen || isFirst}
          onChange={({ target }) => onChoose(target.checked ? starts_at : null)}
        />
        <span>
          {formatDay(day, DAY)}, {timeOf(starts_at)}
          {!isOpen && (
            <span className="block text-sm text-ink-soft">
              {near_times.length > 0
                ? 'Not available. Choose another time or leave it out.'
                : 'Not available'}
            </span>
          )}
        </span>
      </label>
      {!isOpen && near_times.length > 0 && (
        <TimeButtons
          columns="grid-cols-1 sm:grid-cols-3"
          slots={near_times.map((start) => ({ startsAt: start, label: nearLabel(start) }))}
          selected={chosen}
          onSelect={(start) => onChoose(start === chosen ? null : start)}
        />
      )}
    </>
  )
}

const DAY = { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' } as const

/** Returns the further dates to book: those that are free, unless the customer chose otherwise. */
export function chooseDates(
  planned: readonly Planned[],
  choices: DraftSeries['choices'],
): DraftSeries['dates'] {
  return planned.flatMap(({ starts_at, is_free, near_times }, i) => {
    const number = i + 1
    const usual = is_free ? starts_at : null
    const choice = choices[number]
    const isOffered = choice === null || choice === usual || near_times.some((near) => near === choice)
    const start = choice !== undefined && isOffered ? choice : usual
    return i === 0 || start === null ? [] : [{ number, starts_at: start }]
  })
}

function startOf(dates: DraftSeries['dates'], number: number): string | null {
  return dates.find((date) => date.number === number)?.starts_at ?? null
}
