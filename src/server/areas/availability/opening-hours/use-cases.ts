import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type {
  Availability,
  AvailabilityPreview,
  AvailabilityResponse,
  availabilityBody,
  availabilityChanges,
  copyAvailabilityBody,
  removeAvailabilityQuery,
  replaceAvailabilityBody,
} from '#contract/availability/opening-hours.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import {
  type SlotSettingsWithLimits,
  type slotSettingsChanges,
  toSlotRules,
  toSlotSettings,
} from '#contract/slots/slot-settings.ts'
import { changeRange, copyDay, type DayHours, hasOverlap, sortByStart } from '#core/availability/day-hours.ts'
import { type ClockRange, findOverlap } from '#core/availability/overlapping-ranges.ts'
import { omitUndefined } from '#core/shared/defined-fields.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { addDays, isDate, localDateOf } from '#core/shared/zoned-time.ts'
import { MAX_LATE_ENTRY_MS } from '#core/slots/explain-start.ts'
import { OWNERS_WORK_LIMITS } from '#core/slots/occupied-time.ts'
import type { SlotRules } from '#core/slots/slot-rules.ts'
import { listAppointmentTypes } from '#server/areas/availability/appointment-types/repository.ts'
import { changeLimits } from '#server/areas/availability/booking-limits/change-limits.ts'
import { listLimits } from '#server/areas/availability/booking-limits/repository.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { findViolatedExclusionConstraint } from '#server/platform/db/pg-errors.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseStaleChange } from '#server/platform/http/refuse-stale-change.ts'
import { shortenBuffers } from '#server/records/appointments/taken-time-repository.ts'
import {
  getOwnCalendar,
  getOwnSlotRules,
  lockOwnCalendar,
  setSlotRules,
} from '#server/records/calendars/use-cases.ts'
import {
  announceFreedTime,
  announceFreedTimeOfPerson,
  type FreedTimesDeps,
} from '#server/records/freed-times/use-cases.ts'
import { getSlotsByDay, type SlotsDeps } from '#server/records/slots/use-cases.ts'
import {
  deleteRange,
  deleteRangesOf,
  insertRanges,
  listRanges,
  updateRange,
  type WeeklyRange,
} from './repository.ts'

export type AvailabilityDeps = SlotsDeps &
  FreedTimesDeps & {
    /** The product's own URL, without a trailing slash. */
    readonly baseUrl: string
  }

/** Number of days that a preview shows. */
const PREVIEW_DAYS = 7

/**
 * Returns the weekly schedule, the slot settings, and the duration of each type.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getAvailability(
  deps: AvailabilityDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<AvailabilityResponse> {
  const rules = await getOwnSlotRules(deps.db, ownerId, calendarId)
  const ranges = await listRanges(deps.db, calendarId)
  const types = await listAppointmentTypes(deps.db, calendarId)
  return {
    ...toSlotSettings(rules),
    booking_limits: await listLimits(deps.db, { calendarId, typeId: null }),
    availability: ranges.map((range) => toAvailability(range, calendarId, rules)),
    appointment_types: types.map(({ id, name, duration, start_step_minutes, is_packed }) => ({
      id,
      name,
      duration,
      start_step_minutes,
      is_packed,
    })),
  }
}

/**
 * Adds a range to a weekday. Source: rule T25.
 * @throws ProblemError `calendar.*`, `availability.overlap`, `availability.too_many`
 */
export async function addOpeningRange(
  deps: AvailabilityDeps,
  ownerId: OwnerId,
  calendarId: string,
  body: z.output<typeof availabilityBody>,
): Promise<Availability> {
  const added: WeeklyRange = {
    id: randomUUID(),
    day_of_week: body.day_of_week,
    start: body.start_time,
    end: body.end_time,
  }
  return changeHours(deps, ownerId, calendarId, async (trx, rules) => {
    const ofDay = (await listRanges(trx, calendarId)).filter(
      ({ day_of_week }) => day_of_week === added.day_of_week,
    )
    if (findOverlap(ofDay, added) !== null) throw new ProblemError('availability.overlap')
    if (ofDay.length >= LIMITS.rangesPerWeekday) throw new ProblemError('availability.too_many')
    await insertRanges(trx, calendarId, [added])
    return toAvailability(added, calendarId, rules)
  })
}

/**
 * Changes the times of a range. Source: rule T25.
 * @throws ProblemError `calendar.*`, `availability.not_found`, `request.changed_meanwhile`, `availability.overlap`
 */
export async function changeOpeningRange(
  deps: AvailabilityDeps,
  ownerId: OwnerId,
  key: RangeKey,
  { was, ...times }: z.output<typeof availabilityChanges>,
): Promise<Availability> {
  return changeHours(deps, ownerId, key.calendarId, async (trx, rules) => {
    const week = await listRanges(trx, key.calendarId)
    const stored = getRange(week, key.id)
    refuseStaleChange(toTimes(stored), was)
    const changed = { ...stored, ...toClockRange(times) }
    const ofDay = week.filter(({ day_of_week }) => day_of_week === stored.day_of_week)
    if (!changeRange(ofDay, changed).ok) throw new ProblemError('availability.overlap')
    await updateRange(trx, key.calendarId, changed)
    return toAvailability(changed, key.calendarId, rules)
  })
}

/**
 * Removes a range.
 * @param was the times that the screen showed, if they are known
 * @throws ProblemError `calendar.*`, `availability.not_found`, `request.changed_meanwhile`
 */
export async function removeOpeningRange(
  deps: AvailabilityDeps,
  ownerId: OwnerId,
  key: RangeKey,
  was: z.output<typeof removeAvailabilityQuery> = {},
): Promise<void> {
  await changeHours(deps, ownerId, key.calendarId, async (trx) => {
    const stored = getRange(await listRanges(trx, key.calendarId), key.id)
    refuseStaleChange(toTimes(stored), was)
    await deleteRange(trx, key.calendarId, key.id)
  })
}

/**
 * Copies the ranges of one weekday to others, replacing the ranges of all of those weekdays, or of none. Copying a
 * closed day closes the others. Source: rule T26.
 * @throws ProblemError `calendar.*`, `request.changed_meanwhile`
 */
export async function copyOpeningRangesOfDay(
  deps: AvailabilityDeps,
  ownerId: OwnerId,
  calendarId: string,
  body: z.output<typeof copyAvailabilityBody>,
): Promise<AvailabilityResponse> {
  await changeHours(deps, ownerId, calendarId, async (trx) => {
    const week = groupByDay(await listRanges(trx, calendarId))
    refuseStaleDays(week, body.was)
    await replaceDays(trx, calendarId, copyDay(week, body.from_day, body.to_days))
  })
  return getAvailability(deps, ownerId, calendarId)
}

/**
 * Replaces the ranges of some weekdays, of all of them or of none.
 * @throws ProblemError `calendar.*`, `request.changed_meanwhile`, `availability.overlap`
 */
export async function replaceOpeningRangesOfDays(
  deps: AvailabilityDeps,
  ownerId: OwnerId,
  calendarId: string,
  { days, was }: z.output<typeof replaceAvailabilityBody>,
): Promise<AvailabilityResponse> {
  await changeHours(deps, ownerId, calendarId, async (trx) => {
    refuseStaleDays(groupByDay(await listRanges(trx, calendarId)), was)
    const changed = days.map(toDayHours)
    if (changed.some(({ ranges }) => hasOverlap(ranges))) throw new ProblemError('availability.overlap')
    await replaceDays(trx, calendarId, changed)
  })
  return getAvailability(deps, ownerId, calendarId)
}

type RangeKey = { readonly calendarId: string; readonly id: string }

/** @throws ProblemError `availability.not_found` */
function getRange(week: readonly WeeklyRange[], id: string): WeeklyRange {
  const range = week.find((each) => each.id === id)
  if (range === undefined) throw new ProblemError('availability.not_found')
  return range
}

async function replaceDays(trx: Trx, calendarId: string, days: readonly DayHours[]): Promise<void> {
  const ranges = days.flatMap(({ dayOfWeek, ranges }) =>
    ranges.map((range) => ({ ...range, id: randomUUID(), day_of_week: dayOfWeek })),
  )
  await deleteRangesOf(
    trx,
    calendarId,
    days.map(({ dayOfWeek }) => dayOfWeek),
  )
  await insertRanges(trx, calendarId, ranges)
}

/**
 * Refuses a change if one of the days that the screen showed has other hours now. Source: rule X4.
 * @throws ProblemError `request.changed_meanwhile`
 */
function refuseStaleDays(
  week: readonly DayHours[],
  was: z.output<typeof replaceAvailabilityBody>['was'],
): void {
  refuseStaleChange(byWeekday(week), was && byWeekday(was.map(toDayHours)))
}

function byWeekday(days: readonly DayHours[]): Record<string, readonly ClockRange[]> {
  return Object.fromEntries(days.map(({ dayOfWeek, ranges }) => [`day_${dayOfWeek}`, ranges]))
}

/** Returns the hours of all seven weekdays. */
function groupByDay(week: readonly WeeklyRange[]): DayHours[] {
  return Array.from({ length: 7 }, (_, dayOfWeek) => ({
    dayOfWeek,
    ranges: week
      .filter(({ day_of_week }) => day_of_week === dayOfWeek)
      .map(({ start, end }) => ({ start, end })),
  }))
}

type Times = { readonly start_time: string; readonly end_time: string }

function toDayHours(day: { readonly day_of_week: number; readonly ranges: readonly Times[] }): DayHours {
  return { dayOfWeek: day.day_of_week, ranges: sortByStart(day.ranges.map(toClockRange)) }
}

function toClockRange({ start_time, end_time }: Times): ClockRange {
  return { start: start_time, end: end_time }
}

function toTimes({ start, end }: ClockRange): Times {
  return { start_time: start, end_time: end }
}

/**
 * Changes the slot settings and the limits. A slot longer than the longest appointment is refused, because nothing could be booked.
 * Appointments keep their times; lowering the buffer frees the time after them. Source: rule T18.
 * @throws ProblemError `calendar.*`, `request.changed_meanwhile`, `availability.max_below_slot`, `booking_limits.too_many`
 */
export async function changeSlotSettings(
  deps: AvailabilityDeps,
  ownerId: OwnerId,
  calendarId: string,
  { was, ...changes }: z.output<typeof slotSettingsChanges>,
): Promise<SlotSettingsWithLimits> {
  return changeHours(deps, ownerId, calendarId, async (trx, before) => {
    const key = { calendarId, typeId: null }
    refuseStaleChange({ ...toSlotSettings(before), booking_limits: await listLimits(trx, key) }, was)
    const rules = toSlotRules({ ...toSlotSettings(before), ...omitUndefined(changes) })
    if (rules.maxDurationMinutes < rules.slotMinutes) {
      throw new ProblemError('availability.max_below_slot', [
        { path: 'max_appointment_duration_minutes', message: 'Please use at least the length of a slot.' },
      ])
    }
    const now = new Date(deps.now())
    await setSlotRules(trx, ownerId, calendarId, { rules, changedAt: now })
    await changeLimits(trx, key, changes.booking_limits)
    if (rules.bufferMinutes < before.bufferMinutes) {
      const earliestStart = new Date(
        now.getTime() - MAX_LATE_ENTRY_MS - OWNERS_WORK_LIMITS.minutes * MINUTE_MS,
      )
      await shortenBuffers(trx, calendarId, rules.bufferMinutes, earliestStart)
      await announceFreedTimeOfPerson(deps, trx, calendarId)
    }
    return { ...toSlotSettings(rules), booking_limits: await listLimits(trx, key) }
  })
}

/**
 * Lists the times offered to customers in seven days, by default from today. Source: rule T29.
 * @throws ProblemError `calendar.*`, `booking.type_unknown`, `request.invalid` beyond the supported years
 */
export async function previewOfferedTimes(
  deps: AvailabilityDeps,
  ownerId: OwnerId,
  calendarId: string,
  query: { from: string | undefined; appointmentTypeId: string | undefined },
): Promise<AvailabilityPreview> {
  const calendar = await getOwnCalendar(deps, ownerId, calendarId)
  const firstDate = query.from ?? localDateOf(deps.now(), calendar.timezone)
  if (!isDate(addDays(firstDate, PREVIEW_DAYS))) {
    throw new ProblemError('request.invalid', [{ path: 'from', message: 'Please choose an earlier day.' }])
  }
  return getSlotsByDay(deps, {
    slug: calendar.slug,
    appointmentTypeId: query.appointmentTypeId,
    firstDate,
    dayCount: PREVIEW_DAYS,
  })
}

/** The refusal for each exclusion constraint of the opening hours. */
const OVERLAPS: Readonly<Record<string, ProblemCode>> = {
  availability_no_overlap: 'availability.overlap',
  special_days_no_overlap: 'special_days.overlap',
}

/**
 * Changes the hours of a calendar under its lock, so that no booking decides by the old hours before the change is
 * committed. The exclusion constraints repeat the checks, in case another program has changed the rows without the
 * lock.
 * @throws ProblemError `calendar.*`, `availability.overlap`, `special_days.overlap`
 */
export async function changeHours<Result>(
  deps: FreedTimesDeps & Pick<SlotsDeps, 'db'>,
  ownerId: OwnerId,
  calendarId: string,
  change: (trx: Trx, rules: SlotRules) => Promise<Result>,
): Promise<Result> {
  try {
    return await inTransaction(deps.db, async (trx) => {
      const result = await change(trx, await lockOwnCalendar(trx, ownerId, calendarId))
      // Even removing hours can free start times, because the grid of the remaining hours may change.
      await announceFreedTime(deps, trx, calendarId)
      return result
    })
  } catch (error) {
    const overlap = OVERLAPS[findViolatedExclusionConstraint(error) ?? '']
    throw overlap === undefined ? error : new ProblemError(overlap)
  }
}

function toAvailability(range: WeeklyRange, calendarId: string, rules: SlotRules): Availability {
  return {
    id: range.id,
    calendar_id: calendarId,
    day_of_week: range.day_of_week,
    start_time: range.start,
    end_time: range.end,
    ...toSlotSettings(rules),
  }
}
