import type { Slot } from '#contract/slots/slots.ts'
import { formatTime, zoneAbbreviation } from '#web/shared/format-date.ts'

type PreviewTime = {
  readonly startsAt: string
  /** `9:30 AM`, with the zone's abbreviation where clocks go back and two times read the same. Source: rule T9. */
  readonly label: string
  /** What of the label is left beside its hour: `:30`. */
  readonly minutes: string
}

/** The offered times of one hour of one day; `hour` is 0 to 23 by the calendar's clock. */
export type PreviewHour = { readonly hour: number; readonly times: readonly PreviewTime[] }

/** The times of a day by the hour they start in, as a timetable shows them. */
export function groupByHour(slots: readonly Slot[], timeZone: string): PreviewHour[] {
  const hours = new Map<number, PreviewTime[]>()
  for (const { slot_start, starts_at } of slots) {
    const hour = Number(slot_start.slice(0, 2))
    const isTwice = slots.filter((other) => other.slot_start === slot_start).length > 1
    const suffix = isTwice ? ` ${zoneAbbreviation(timeZone, starts_at)}` : ''
    const times = hours.get(hour) ?? []
    times.push({
      startsAt: starts_at,
      label: formatTime(starts_at, timeZone) + suffix,
      minutes: slot_start.slice(2, 5) + suffix,
    })
    hours.set(hour, times)
  }
  return [...hours].map(([hour, times]) => ({ hour, times }))
}

/** Every hour from the first to the last that has a time on some day, so that breaks stay visible. */
export function listHours(days: readonly (readonly PreviewHour[])[]): number[] {
  const hours = days.flat().map(({ hour }) => hour)
  if (hours.length === 0) return []
  const first = Math.min(...hours)
  return Array.from({ length: Math.max(...hours) - first + 1 }, (_, i) => first + i)
}
