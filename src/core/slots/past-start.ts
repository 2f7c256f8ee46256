import type { SettingRow, SettingTables } from '#core/calendars/rewind-settings.ts'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { localDateOf, toSecondsOfDay } from '#core/shared/zoned-time.ts'
import type { BookingLimit, CountedDay } from './booking-limits.ts'
import { type BookingWindow, windowBounds } from './booking-window.ts'
import type { StartQuery } from './explain-start.ts'
import { NO_OWNERS_WORK, type OwnersWork, toOccupiedTime } from './occupied-time.ts'
import type { SlotRules } from './slot-rules.ts'

/** An appointment as it was at a moment. */
export type PastAppointment = Interval &
  OwnersWork & {
    readonly typeId: string | null
    /** The session and its seats; null when the appointment had its time for itself. */
    readonly session: { readonly id: string; readonly seats: number } | null
    readonly isTest: boolean
    /** `location`: it only took the location. `person`: the person had it on another calendar. */
    readonly on: 'calendar' | 'person' | 'location'
    /** By how much the buffer of its calendar is larger than that of the asked one. */
    readonly moreBufferMinutes: number
  }

/** The settings of a calendar at a moment. */
export type PastSettings = {
  readonly timeZone: string
  readonly rules: SlotRules
  readonly type: SettingRow | null
  readonly tables: SettingTables
  readonly isPaused: boolean
}

/**
 * Builds the query that explains a start with the settings and appointments of a moment. The events that external calendars had
 * then are unknown. Source: rules T78 and T79.
 */
export function toPastStartQuery(
  { timeZone, rules, type, tables, isPaused }: PastSettings,
  appointments: readonly PastAppointment[],
  { nowMs, durationMinutes }: { readonly nowMs: number; readonly durationMinutes: number },
): StartQuery {
  const typeId = type === null ? null : String(type.id)
  const own = appointments.filter(({ on }) => on === 'calendar')
  const limits = rowsOf(tables, 'booking_limits').filter(
    (limit) => isOfType(limit, null) || isOfType(limit, typeId),
  )
  const openings = rowsOf(tables, 'availability').map(toWeeklyOpening)
  const specialDays = rowsOf(tables, 'special_days').map((days) => ({
    firstDay: toDayNumber(String(days.first_date)),
    lastDay: toDayNumber(String(days.last_date)),
    hours: rowsOf(tables, 'special_hours')
      .filter(({ special_days_id: id }) => id === days.id)
      .map(toClockSpan),
  }))
  // The database checks the shape of windows.
  const window = (type?.booking_window ?? rules.window) as BookingWindow
  return {
    timeZone,
    rules,
    bookable: windowBounds(window, { openings, specialDays }, localDateOf(nowMs, timeZone)),
    nowMs,
    isPaused,
    durationMinutes,
    ...(type === null
      ? NO_OWNERS_WORK
      : { prepareMinutes: Number(type.prepare_minutes), wrapUpMinutes: Number(type.wrap_up_minutes) }),
    stepMinutes: type === null || type.start_step_minutes === null ? null : Number(type.start_step_minutes),
    isPacked: type?.is_packed === true,
    openings,
    typeOpenings: rowsOf(tables, 'type_hours')
      .filter((hours) => typeId !== null && isOfType(hours, typeId))
      .map(toWeeklyOpening),
    specialDays,
    busy: appointments.filter(({ on }) => on !== 'location').map(toBusyTime),
    locationBusy: appointments
      .filter(({ on }) => on === 'location')
      .map((taken) => toOccupiedTime(taken, taken)),
    sessions: type === null || type.seats === null ? [] : listSessions(own, typeId),
    limits: limits.map((limit) => ({ limit: toLimit(limit), is_of_type: !isOfType(limit, null) })),
    counted: limits.length === 0 ? [] : countDays(own, { typeId, timeZone }),
  }
}

function rowsOf(tables: SettingTables, table: string): readonly SettingRow[] {
  return tables[table] ?? []
}

function isOfType(row: SettingRow, typeId: string | null): boolean {
  return row.appointment_type_id === typeId
}

function toClockSpan({ start_time, end_time }: SettingRow) {
  return { startSeconds: toSecondsOfDay(String(start_time)), endSeconds: toSecondsOfDay(String(end_time)) }
}

function toWeeklyOpening(row: SettingRow) {
  return { dayOfWeek: Number(row.day_of_week), ...toClockSpan(row) }
}

function toLimit({ period, unit, most }: SettingRow): BookingLimit {
  // The database checks these columns.
  return { period, unit, most } as BookingLimit
}

function toBusyTime(taken: PastAppointment): Interval {
  const { startMs, endMs } = toOccupiedTime(taken, taken)
  const moreMs = taken.moreBufferMinutes * MINUTE_MS
  return { startMs: startMs - moreMs, endMs: endMs + moreMs }
}

function listSessions(own: readonly PastAppointment[], typeId: string | null) {
  const seated = own.filter((taken) => taken.session !== null && taken.typeId === typeId)
  return [...Map.groupBy(seated, ({ session }) => session?.id).values()].flatMap((seats) => {
    const [first] = seats
    if (first?.session == null) return []
    return [{ startMs: first.startMs, endMs: first.endMs, seatsLeft: first.session.seats - seats.length }]
  })
}

/** Counts the appointments of each day; a session counts once. Source: rule T51. */
function countDays(
  own: readonly PastAppointment[],
  { typeId, timeZone }: { readonly typeId: string | null; readonly timeZone: string },
): CountedDay[] {
  const real = own.filter(({ isTest }) => !isTest)
  const seats = real.filter(({ session }) => session !== null)
  const counted = [
    ...real.filter(({ session }) => session === null),
    ...new Map(seats.map((taken) => [taken.session?.id, taken])).values(),
  ]
  return counted.map((taken) => ({
    dayNumber: toDayNumber(localDateOf(taken.startMs, timeZone)),
    isOfType: taken.typeId === typeId,
    appointments: 1,
    minutes: (taken.endMs - taken.startMs) / MINUTE_MS,
  }))
}

/** How far around a start appointments matter: a limit counts those of its whole month. */
export const PAST_REACH_MS = 32 * DAY_MS
