import type { CSSProperties } from 'react'
import type { Availability, AvailabilityPreview } from '#contract/availability/opening-hours.ts'
import type { SpecialDaysEntry } from '#contract/availability/special-days.ts'
import type { Slot } from '#contract/slots/slots.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import { useHourCycle } from '#web/kit/hour-cycle.ts'
import { formatHour } from '#web/shared/format-clock.ts'
import {
  formatDateHeading,
  formatMonthDay,
  formatTime,
  formatWeekday,
  zoneAbbreviation,
} from '#web/shared/format-date.ts'
import { EVENING_HOUR, PART_OF_DAY_COLORS, PARTS_OF_DAY, partOfDay } from '#web/shared/part-of-day.ts'
import { classNames } from '#web/ui/class-names.ts'
import { isClosedOn } from './special-days.ts'

type PreviewTimetableProps = {
  preview: AvailabilityPreview
  availability: readonly Availability[]
  specialDays: readonly SpecialDaysEntry[]
  /** Today's date in the calendar's zone. */
  today: string
}

/** Shows seven days as a timetable, with hours down and days across and a line at noon. On phones, each day is a row. */
export function PreviewTimetable({ preview, availability, specialDays, today }: PreviewTimetableProps) {
  const hourCycle = useHourCycle()
  const days = preview.days.map(({ date, slots }) => ({
    date,
    count: slots.length,
    hours: groupByHour(slots, preview.time_zone, hourCycle),
  }))
  const hours = listTimetableHours(days.map((day) => day.hours))
  const rows = { '--rows': Math.max(hours.length, 1) } as CSSProperties // a CSS custom property
  return (
    <div
      style={rows}
      className="@2xl:grid @2xl:grid-cols-[3.25rem_repeat(7,minmax(0,1fr))] @2xl:grid-rows-[auto_repeat(var(--rows),minmax(1.75rem,auto))]"
    >
      {hours.map((hour, row) => (
        <div
          key={hour}
          aria-hidden="true"
          style={rowStyle(row)}
          className={classNames(
            'hidden items-center text-end text-sm whitespace-nowrap text-ink-faint tabular-nums @2xl:col-span-8 @2xl:col-start-1 @2xl:row-(--row) @2xl:grid @2xl:grid-cols-subgrid',
            hour === 12 && row > 0 ? 'border-t-2 border-noon' : 'border-t border-line',
          )}
        >
          <span className="pe-2">{formatHour(hour, hourCycle)}</span>
        </div>
      ))}
      <ol
        aria-label="Offered times"
        className="divide-y divide-line @2xl:col-span-7 @2xl:col-start-2 @2xl:row-span-full @2xl:grid @2xl:grid-cols-subgrid @2xl:grid-rows-subgrid @2xl:divide-y-0"
      >
        {days.map((day) => (
          <PreviewDay
            key={day.date}
            {...day}
            shownHours={hours}
            isToday={day.date === today}
            isClosed={isClosedOn(day.date, availability, specialDays)}
          />
        ))}
      </ol>
    </div>
  )
}

/** Explains the colours of the timetable. */
export function PreviewLegend() {
  const hourCycle = useHourCycle()
  return (
    <ul aria-label="Colours" className="mt-4 flex flex-wrap gap-x-5 gap-y-1 text-sm text-ink-soft">
      {PARTS_OF_DAY.map((part) => (
        <li key={part} className="inline-flex items-center gap-2">
          <span aria-hidden="true" className={classNames('size-4 rounded-md', PART_OF_DAY_COLORS[part])} />
          {part === 'Evening' ? `Evening, from ${formatHour(EVENING_HOUR, hourCycle)}` : part}
        </li>
      ))}
    </ul>
  )
}

type PreviewDayProps = {
  /** The date as yyyy-MM-dd. */
  date: string
  count: number
  hours: readonly PreviewHour[]
  /** The hours that have a row in the timetable. */
  shownHours: readonly number[]
  isToday: boolean
  isClosed: boolean
}

function PreviewDay({ date, count, hours, shownHours, isToday, isClosed }: PreviewDayProps) {
  const hourCycle = useHourCycle()
  const nothing = isClosed ? 'Closed' : 'No times'
  return (
    <li
      aria-label={formatDateHeading(date)}
      className="py-3 @2xl:row-span-full @2xl:grid @2xl:grid-rows-subgrid @2xl:border-s @2xl:border-line @2xl:py-0"
    >
      <h3 className="mb-1.5 flex items-baseline gap-x-2 font-sans text-base tracking-normal @2xl:row-start-1 @2xl:mb-0 @2xl:flex-col @2xl:items-center @2xl:px-1 @2xl:pb-2 @2xl:text-center">
        <span className={classNames('font-semibold', isToday && 'text-noon-ink')}>
          {isToday ? 'Today' : formatWeekday(date)}
        </span>
        <span className="text-sm font-normal text-ink-soft">{formatMonthDay(date)}</span>
        <span className="ms-auto text-sm font-normal text-ink-faint @2xl:ms-0">
          {count === 0 ? nothing : `${count} ${count === 1 ? 'time' : 'times'}`}
        </span>
      </h3>
      {count > 0 && (
        <ul className="flex flex-wrap gap-x-3 gap-y-1.5 @2xl:contents">
          {hours.map(({ hour, times }) => (
            <li
              key={hour}
              style={rowStyle(shownHours.indexOf(hour))}
              className="flex items-center gap-1 @2xl:row-(--row) @2xl:flex-wrap @2xl:content-center @2xl:items-center @2xl:justify-center @2xl:px-1 @2xl:py-0.5"
            >
              <span aria-hidden="true" className="text-sm text-ink-soft tabular-nums @2xl:hidden">
                {formatHour(hour, hourCycle)}
              </span>
              {times.map(({ startsAt, label, minutes }) => (
                <span
                  key={startsAt}
                  className={classNames(
                    'rounded-md px-1 text-sm text-ink tabular-nums',
                    PART_OF_DAY_COLORS[partOfDay(hour)],
                  )}
                >
                  <span className="sr-only">{label}</span>
                  <span aria-hidden="true">{minutes}</span>
                </span>
              ))}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

/** Places a cell in the grid row of an hour. The first row contains the names of the days. */
function rowStyle(row: number): CSSProperties {
  return { '--row': row + 2 } as CSSProperties // a CSS custom property
}

type PreviewTime = {
  readonly startsAt: string
  /** `9:30 AM`, with the zone's abbreviation if the time occurs twice because the clocks go back. Source: rule T9. */
  readonly label: string
  /** The part of the label without the hour: `:30`. */
  readonly minutes: string
}

/** The available times of one hour; `hour` is 0 to 23 in the calendar's zone. */
type PreviewHour = { readonly hour: number; readonly times: readonly PreviewTime[] }

/** Groups the times of a day by hour. */
export function groupByHour(slots: readonly Slot[], timeZone: string, hourCycle: HourCycle): PreviewHour[] {
  const hours = new Map<number, PreviewTime[]>()
  for (const { slot_start, starts_at } of slots) {
    const hour = Number(slot_start.slice(0, 2))
    const isTwice = slots.filter((other) => other.slot_start === slot_start).length > 1
    const suffix = isTwice ? ` ${zoneAbbreviation(timeZone, starts_at)}` : ''
    const times = hours.get(hour) ?? []
    times.push({
      startsAt: starts_at,
      label: formatTime(starts_at, timeZone, hourCycle) + suffix,
      minutes: slot_start.slice(2, 5) + suffix,
    })
    hours.set(hour, times)
  }
  return [...hours].map(([hour, times]) => ({ hour, times }))
}

/**
 * Lists every hour from the first to the last that has an available time on any day, including empty hours, so that breaks stay
 * visible.
 */
export function listTimetableHours(days: readonly (readonly PreviewHour[])[]): number[] {
  const hours = days.flat().map(({ hour }) => hour)
  if (hours.length === 0) return []
  const first = Math.min(...hours)
  return Array.from({ length: Math.max(...hours) - first + 1 }, (_, i) => first + i)
}
