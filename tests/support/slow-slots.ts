import { Temporal } from 'temporal-polyfill'
import type { OpenSlotsQuery } from '#core/slots/open-slots.ts'

/**
 * Finds the start times of one date's slots in the slow and obvious way: mark every open minute, every minute at which a grid
 * starts a slot, and every minute that must stay free, then check each minute of each slot and of the work around it.
 *
 * Shares no code with the engine: Temporal does the time zone arithmetic. Works in whole minutes, so opening hours, busy times
 * and offsets must be whole minutes.
 */
export function findSlotsSlowly(
  date: string,
  query: Omit<OpenSlotsQuery, 'firstDate' | 'dayCount'>,
): number[] {
  const { durationMinutes, prepareMinutes, wrapUpMinutes, rules } = query
  if (durationMinutes > rules.maxDurationMinutes) return []
  if (query.limits.some((limit) => isFull(Temporal.PlainDate.from(date), limit, query))) return []
  const { open, starts } = markOpenings(Temporal.PlainDate.from(date), query)
  const quiet = new Set<number>()
  for (const { startMs, endMs } of query.busy) {
    if (startMs === endMs) continue
    mark(quiet, minuteOf(startMs) - rules.bufferMinutes, minuteOf(endMs) + rules.bufferMinutes)
  }
  for (const { startMs, endMs } of query.locationBusy) mark(quiet, minuteOf(startMs), minuteOf(endMs))

  const startsMs: number[] = []
  for (const start of [...new Set([...starts, ...listPackedStarts(query)])].sort((a, b) => a - b)) {
    const startsAt = Temporal.Instant.fromEpochMilliseconds(start * 60_000)
    if (startsAt.toZonedDateTimeISO(query.timeZone).toPlainDate().toString() !== date) continue
    if (isTooSoonOrTooFar(startsAt, query)) continue
    const minutes = Array.from({ length: durationMinutes }, (_, i) => start + i)
    const before = Array.from({ length: prepareMinutes }, (_, i) => start - 1 - i)
    const after = Array.from({ length: wrapUpMinutes }, (_, i) => start + durationMinutes + i)
    if (!minutes.every((minute) => open.has(minute))) continue
    if ([...before, ...minutes, ...after].some((minute) => quiet.has(minute))) continue
    startsMs.push(startsAt.epochMilliseconds)
  }
  return startsMs
}

/** Lists the minutes at which a packed type starts beside the grid. */
function listPackedStarts(query: Omit<OpenSlotsQuery, 'firstDate' | 'dayCount'>): number[] {
  if (!query.isPacked) return []
  const around = [
    ...query.busy.map((time) => ({ ...time, gap: query.rules.bufferMinutes })),
    ...query.locationBusy.map((time) => ({ ...time, gap: 0 })),
  ].filter(({ startMs, endMs }) => startMs < endMs)
  return around.flatMap(({ startMs, endMs, gap }) => {
    let after = minuteOf(endMs) + gap + query.prepareMinutes
    while (after % 5 !== 0) after++
    let before = minuteOf(startMs) - gap - query.wrapUpMinutes - query.durationMinutes
    while (before % 5 !== 0) before--
    return [after, before]
  })
}

/** Adds up all days that lie in the same day, week or month as the date. */
function isFull(
  date: Temporal.PlainDate,
  { limit: { period, unit, most }, is_of_type }: OpenSlotsQuery['limits'][number],
  { counted, durationMinutes }: Pick<OpenSlotsQuery, 'counted' | 'durationMinutes'>,
): boolean {
  const nameOf = (day: Temporal.PlainDate) =>
    ({
      day: day.toString(),
      week: `${day.yearOfWeek} ${day.weekOfYear}`,
      month: day.toPlainYearMonth().toString(),
    })[period]
  const sum = counted
    .filter(({ isOfType }) => isOfType || !is_of_type)
    .filter(
      (day) => nameOf(Temporal.PlainDate.from('1970-01-01').add({ days: day.dayNumber })) === nameOf(date),
    )
    .reduce((total, day) => total + day[unit], 0)
  return sum + (unit === 'appointments' ? 1 : durationMinutes) > most
}

/** Marks the minutes at which both the calendar and the type are open. Only the type's own hours, if it has any, give starts. */
function markOpenings(around: Temporal.PlainDate, query: Omit<OpenSlotsQuery, 'firstDate' | 'dayCount'>) {
  const { stepMinutes, durationMinutes, rules } = query
  const step = stepMinutes === 0 ? durationMinutes : (stepMinutes ?? rules.slotMinutes)
  const calendar = markWeek(around, { ...query, step })
  if (!query.typeOpenings?.length) return calendar
  const type = markWeek(around, { ...query, step, openings: query.typeOpenings, specialDays: [] })
  return { open: new Set([...calendar.open].filter((minute) => type.open.has(minute))), starts: type.starts }
}

type Openings = Pick<OpenSlotsQuery, 'openings' | 'specialDays' | 'timeZone'> & { readonly step: number }

/** Marks a week around the date, to include opening hours that reach into it. */
function markWeek(around: Temporal.PlainDate, { openings, specialDays, timeZone, step }: Openings) {
  const open = new Set<number>()
  const starts = new Set<number>()
  for (let days = -3; days <= 4; days++) {
    const date = around.add({ days })
    const day = Temporal.PlainDate.from('1970-01-01').until(date).days
    const special = specialDays.filter(({ firstDay, lastDay }) => day >= firstDay && day <= lastDay)
    const weekly = openings.filter(({ dayOfWeek }) => dayOfWeek === date.dayOfWeek % 7)
    for (const opening of special.length > 0 ? special.flatMap(({ hours }) => hours) : weekly) {
      const from = minuteAt(date, opening.startSeconds, timeZone)
      const until = minuteAt(date, opening.endSeconds, timeZone)
      mark(open, from, until)
      for (let minute = from; minute < until; minute += step) starts.add(minute)
    }
  }
  return { open, starts }
}

/** A clock time on a date as minutes since 1970; 24:00 is 00:00 of the next date. */
function minuteAt(date: Temporal.PlainDate, seconds: number, timeZone: string): number {
  const local =
    seconds === 86_400
      ? date.add({ days: 1 }).toPlainDateTime('00:00')
      : date.toPlainDateTime(Temporal.PlainTime.from('00:00').add({ seconds }))
  return minuteOf(local.toZonedDateTime(timeZone, { disambiguation: 'compatible' }).epochMilliseconds)
}

function minuteOf(epochMs: number): number {
  const minute = epochMs / 60_000
  if (!Number.isInteger(minute)) throw new RangeError('the slow reference sees whole minutes only')
  return minute
}

function mark(minutes: Set<number>, from: number, until: number): void {
  for (let minute = from; minute < until; minute++) minutes.add(minute)
}

function isTooSoonOrTooFar(
  startsAt: Temporal.Instant,
  { rules, bookable, timeZone, nowMs }: Pick<OpenSlotsQuery, 'rules' | 'bookable' | 'timeZone' | 'nowMs'>,
): boolean {
  if (nowMs === null) return false
  const now = Temporal.Instant.fromEpochMilliseconds(nowMs)
  const date = startsAt.toZonedDateTimeISO(timeZone).toPlainDate().toString()
  if (date < (bookable.from ?? date) || date > (bookable.until ?? date)) return true
  const earliest = now.add({ minutes: rules.noticeMinutes })
  const farthest = now.add({ hours: 730 * 24 })
  if (Temporal.Instant.compare(startsAt, now) <= 0) return true
  return Temporal.Instant.compare(startsAt, earliest) < 0 || Temporal.Instant.compare(startsAt, farthest) > 0
}
