import type { PublicCalendar } from '#contract/calendars/calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'
import { type BookableDates, type BookingWindow, windowBounds } from '#core/slots/booking-window.ts'
import { describeWindowToCustomers } from '#core/slots/describe-window.ts'
import { MAX_DAYS_AHEAD } from '#core/slots/max-days-ahead.ts'
import type { Db } from '#server/platform/db/database.ts'
import { listOpeningHours } from './times-repository.ts'

const NO_HOURS = { openings: [], specialDays: [] }

/** Returns a function for the dates of booking windows of a calendar. Loads its hours only if a window counts open days. */
export async function loadBookableDates(
  db: Db,
  calendar: { readonly id: string; readonly timezone: string },
  windows: readonly BookingWindow[],
  nowMs: number,
): Promise<(window: BookingWindow) => BookableDates> {
  const ahead = { startMs: nowMs, endMs: nowMs + MAX_DAYS_AHEAD * DAY_MS }
  const hours = windows.some(({ kind }) => kind === 'open_days')
    ? await listOpeningHours(db, [calendar.id], ahead)
    : undefined
  return (window) =>
    windowBounds(window, hours?.get(calendar.id) ?? NO_HOURS, localDateOf(nowMs, calendar.timezone))
}

/** What customers read about a booking window. Source: rule T70. */
export type BookableFields = Pick<PublicCalendar, 'bookable_from' | 'bookable_until' | 'bookable_text'>

/** Like `loadBookableDates`, for the public fields of a calendar or an appointment type. */
export async function loadBookableFields(
  ...[db, calendar, windows, nowMs]: Parameters<typeof loadBookableDates>
): Promise<(window: BookingWindow) => BookableFields> {
  const toDates = await loadBookableDates(db, calendar, windows, nowMs)
  const today = localDateOf(nowMs, calendar.timezone)
  return (window) => {
    const dates = toDates(window)
    return {
      bookable_from: dates.from,
      bookable_until: dates.until,
      bookable_text: describeWindowToCustomers(window, dates, today),
    }
  }
}
