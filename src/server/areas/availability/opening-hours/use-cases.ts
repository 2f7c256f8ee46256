import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type {
  Availability,
  AvailabilityPreview,
  AvailabilityResponse,
  availabilityBody,
  CopyAvailabilityBody,
} from '#contract/availability/opening-hours.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import {
  type SlotSettings,
  type slotSettingsChanges,
  toSlotRules,
  toSlotSettings,
} from '#contract/slots/slot-settings.ts'
import { DEFAULT_POLICY } from '#core/appointments/policy.ts'
import { findOverlap } from '#core/availability/overlapping-ranges.ts'
import { omitUndefined } from '#core/shared/defined-fields.ts'
import { addDays, isDate, localDateOf } from '#core/shared/zoned-time.ts'
import { MAX_LATE_ENTRY_MS } from '#core/slots/check-start.ts'
import type { SlotRules } from '#core/slots/slot-rules.ts'
import { listPublicTypesOf } from '#server/areas/availability/appointment-types/use-cases.ts'
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
import { deleteRange, deleteRangesOf, insertRanges, listRanges, type WeeklyRange } from './repository.ts'

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
  const types = await listPublicTypesOf(deps, {
    calendar_id: calendarId,
    location: null,
    policy: DEFAULT_POLICY,
  })
  return {
    ...toSlotSettings(rules),
    availability: ranges.map((range) => toAvailability(range, calendarId, rules)),
    appointment_types: types.map(({ id, name, duration }) => ({ id, name, duration })),
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
 * Removes a range.
 * @throws ProblemError `calendar.*`, `availability.not_found`
 */
export async function removeOpeningRange(
  deps: AvailabilityDeps,
  ownerId: OwnerId,
  key: { calendarId: string; id: string },
): Promise<void> {
  await changeHours(deps, ownerId, key.calendarId, async (trx) => {
    if (!(await deleteRange(trx, key.calendarId, key.id))) throw new ProblemError('availability.not_found')
  })
}

/**
 * Copies the ranges of one weekday to others, replacing the ranges of all of those weekdays, or of none. Copying a
 * closed day closes the others. Source: rule T26.
 * @throws ProblemError `calendar.*`
 */
export async function copyOpeningRangesOfDay(
  deps: AvailabilityDeps,
  ownerId: OwnerId,
  calendarId: string,
  body: CopyAvailabilityBody,
): Promise<AvailabilityResponse> {
  await changeHours(deps, ownerId, calendarId, async (trx) => {
    const copied = (await listRanges(trx, calendarId)).filter(
      ({ day_of_week }) => day_of_week === body.from_day,
    )
    const days = [...new Set(body.to_days)]
    await deleteRangesOf(trx, calendarId, days)
    const copies = days.flatMap((day_of_week) =>
      copied.map((range) => ({ ...range, id: randomUUID(), day_of_week })),
    )
    await insertRanges(trx, calendarId, copies)
  })
  return getAvailability(deps, ownerId, calendarId)
}

/**
 * Changes the slot settings. A slot longer than the longest appointment is refused, because nothing could be booked.
 * Appointments keep their times; lowering the buffer frees the time after them. Source: rule T18.
 * @throws ProblemError `calendar.*`, `request.changed_meanwhile`, `availability.max_below_slot`
 */
export async function changeSlotSettings(
  deps: AvailabilityDeps,
  ownerId: OwnerId,
  calendarId: string,
  { was, ...changes }: z.output<typeof slotSettingsChanges>,
): Promise<SlotSettings> {
  return changeHours(deps, ownerId, calendarId, async (trx, before) => {
    refuseStaleChange(toSlotSettings(before), was)
    const rules = toSlotRules({ ...toSlotSettings(before), ...omitUndefined(changes) })
    if (rules.maxDurationMinutes < rules.slotMinutes) {
      throw new ProblemError('availability.max_below_slot', [
        { path: 'max_appointment_duration_minutes', message: 'Please use at least the length of a slot.' },
      ])
    }
    const now = new Date(deps.now())
    await setSlotRules(trx, ownerId, calendarId, { rules, changedAt: now })
    if (rules.bufferMinutes < before.bufferMinutes) {
      const earliestStart = new Date(now.getTime() - MAX_LATE_ENTRY_MS)
      await shortenBuffers(trx, calendarId, rules.bufferMinutes, earliestStart)
      await announceFreedTimeOfPerson(deps, trx, calendarId)
    }
    return toSlotSettings(rules)
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
