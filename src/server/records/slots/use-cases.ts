import { LIMITS } from '#contract/limits.ts'
import type { DaysResponse, FirstTimesResponse, Slot, SlotsResponse } from '#contract/slots.ts'
import { FIRST_DAYS, pickFirstTimes } from '#core/scheduling/first-times.ts'
import { checkStart, type StartCheck } from '#core/scheduling/judge-start.ts'
import { busyWindow, isOpenSlot, listOpenSlots, type OpenDay } from '#core/scheduling/open-slots.ts'
import type { OpeningHours } from '#core/scheduling/opening-times.ts'
import {
  bookableDays,
  calendarDaysOf,
  type DayRange,
  fillMissingDays,
  groupByShownDay,
  removeStartsWithin,
} from '#core/scheduling/shown-days.ts'
import { SLOT_RULE_LIMITS, type SlotRules } from '#core/scheduling/slot-rules.ts'
import { toDate, toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { type Interval, overlaps, removeInterval } from '#core/shared/interval.ts'
import { localDateOf, localTimeOf, toRfc3339 } from '#core/shared/zoned-time.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { findSchedulingCalendar, type SchedulingCalendar } from './repository.ts'
import {
  findOpeningHours,
  findSchedulingTimes,
  findSlotInputs,
  findTypeRequirements,
  type SchedulingTimes,
  type SlotInputs,
} from './times-repository.ts'

export type SlotsDeps = { readonly db: Db; readonly now: Clock }

/** Length of an appointment when no type is chosen, in minutes (rule T7). */
export const DEFAULT_DURATION_MINUTES = 30

/** The opening hours of a calendar on some dates, for screens that show them beside its appointments. */
export function getOpeningHours(
  deps: Pick<SlotsDeps, 'db'>,
  calendarId: string,
  days: DayRange,
): Promise<OpeningHours> {
  return findOpeningHours(deps.db, calendarId, busyWindow(days))
}

/** What will be booked: how long it takes, and its exclusive location, if any. */
export type TimeNeeded = { readonly durationMinutes: number; readonly conflictLocationId: string | null }

/** The present time of an appointment that is to be moved, and the exclusive location that it takes. */
export type PresentTime = Interval & { readonly conflictLocationId: string | null }

/** A question about open times. `timeZone` is the zone of the days; the calendar's own when absent. */
type TimesInput = {
  readonly slug: string
  readonly appointmentTypeId: string | undefined
  readonly timeZone: string | undefined
  /**
   * The appointment that is to be moved: it is not in its own way, keeps its length, and a calendar that takes no new bookings lets
   * it move. Its type may be deleted. Source: rule A19.
   */
  readonly own?: PresentTime
  /** Stretches in which nothing may begin, although it is free. Source: rule A23. */
  readonly absences?: readonly Interval[]
}

/**
 * The open times of one day, labelled in the requested zone.
 * @throws ProblemError `calendar.not_found`, `booking.type_unknown`
 */
export async function getSlots(
  deps: SlotsDeps,
  input: TimesInput & { readonly date: string },
): Promise<SlotsResponse> {
  const { days, ...shown } = await listShownDays(deps, input, { firstDate: input.date, dayCount: 1 })
  return {
    date: input.date,
    time_zone: shown.timeZone,
    slots: days.flatMap((day) => day.startsMs).map((startMs) => toSlot(startMs, shown)),
  }
}

/**
 * How many open times each day of a range has, both ends included, at most 62 days.
 * @throws ProblemError `calendar.not_found`, `booking.type_unknown`, `request.invalid`
 */
export async function getDays(
  deps: SlotsDeps,
  input: TimesInput & { readonly from: string; readonly to: string },
): Promise<DaysResponse> {
  const dayCount = toDayNumber(input.to) - toDayNumber(input.from) + 1
  if (dayCount < 1 || dayCount > LIMITS.daysRange) {
    throw new ProblemError('request.invalid', [
      { path: 'to', message: `Please ask for 1 to ${LIMITS.daysRange} days.` },
    ])
  }
  const { timeZone, days } = await listShownDays(deps, input, { firstDate: input.from, dayCount })
  return {
    time_zone: timeZone,
    days: days.map((day) => ({ date: day.date, open_slots: day.startsMs.length })),
  }
}

/**
 * How many days are searched for the first open times: most calendars have some within two weeks, so a question about more
 * is only asked where they have none.
 */
const SEARCHED_DAYS = [14, LIMITS.daysRange] as const

/**
 * The first open times from now on, so that a customer need not choose a day. Source: rule T33.
 * @throws ProblemError `calendar.not_found`, `booking.type_unknown`
 */
export async function getFirstTimes(deps: SlotsDeps, input: TimesInput): Promise<FirstTimesResponse> {
  const [soon, far] = SEARCHED_DAYS
  const within = await listFirstDays(deps, input, soon)
  const { days, ...shown } =
    within.days.length === FIRST_DAYS ? within : await listFirstDays(deps, input, far)
  return { time_zone: shown.timeZone, days: days.map((day) => toDayOfSlots(day, shown)) }
}

async function listFirstDays(deps: SlotsDeps, input: TimesInput, dayCount: number) {
  // In no zone is it earlier than yesterday in UTC.
  const firstDate = toDate(Math.floor(deps.now() / DAY_MS) - 1)
  const { days, ...shown } = await listShownDays(deps, input, { firstDate, dayCount })
  return { ...shown, days: pickFirstTimes(days) }
}

/**
 * The open times of some days in a row in the calendar's own zone, each day with its slots: what customers get, all at
 * once.
 * @throws ProblemError `calendar.not_found`, `booking.type_unknown`
 */
export async function getSlotsOfDays(
  deps: SlotsDeps,
  input: Omit<TimesInput, 'timeZone'> & DayRange,
): Promise<{ time_zone: string; days: { date: string; slots: Slot[] }[] }> {
  const { days, ...shown } = await listShownDays(deps, { ...input, timeZone: undefined }, input)
  return {
    time_zone: shown.timeZone,
    days: days.map((day) => toDayOfSlots(day, shown)),
  }
}

/** The starts that customers are offered in a range of days of the calendar's zone, at most 366 days. */
export type FreeStarts = {
  /** The zone of the calendar. */
  readonly timeZone: string
  readonly durationMinutes: number
  readonly startsMs: readonly number[]
}

/**
 * The free starts of a type, by the code that answers customers.
 * @throws ProblemError `calendar.not_found`, `booking.type_unknown`
 */
export async function listFreeStarts(
  deps: SlotsDeps,
  input: Omit<TimesInput, 'timeZone'> & DayRange,
): Promise<FreeStarts> {
  const { days, ...shown } = await listShownDays(deps, { ...input, timeZone: undefined }, input)
  return { ...shown, startsMs: days.flatMap((day) => day.startsMs) }
}

/** The zone of the shown slots, and the length of each. */
type Shown = { readonly timeZone: string; readonly durationMinutes: number }

/** The open times of days in the requested zone, which may begin and end inside calendar days. */
async function listShownDays(
  deps: SlotsDeps,
  input: TimesInput,
  range: DayRange,
): Promise<Shown & { readonly days: OpenDay[] }> {
  const { slug, appointmentTypeId: typeId = null, own, absences = [] } = input
  const nowMs = deps.now()
  const facts = await findInputs(deps.db, { slug, typeId, during: busyWindow(range), nowMs, own })
  if (facts === null) throw new ProblemError('calendar.not_found')
  if (isTypeMissing(facts, { typeId, own })) throw new ProblemError('booking.type_unknown')
  const { calendar, times } = facts
  const timeZone = input.timeZone ?? calendar.timeZone
  const durationMinutes = toMinutes(facts, own)
  const bookable = offersNothing(facts, own) ? null : bookableDays(range, nowMs)
  if (bookable === null) return { timeZone, durationMinutes, days: fillMissingDays([], range) }
  const open = listOpenSlots({
    ...calendarDaysOf(bookable, timeZone, calendar.timeZone),
    timeZone: calendar.timeZone,
    durationMinutes,
    rules: calendar.rules,
    ...times,
    nowMs,
  })
  const days = removeStartsWithin(open, absences)
  const shown = timeZone === calendar.timeZone ? days : groupByShownDay(days, bookable, timeZone)
  return { timeZone, durationMinutes, days: fillMissingDays(shown, range) }
}

/**
 * What decides about slots, without the time of the appointment that is moved. Without a type that still exists, it stays at the
 * agreed place. Source: rules A17 and A19.
 */
async function findInputs(
  db: Db,
  { own, ...query }: Parameters<typeof findSlotInputs>[1] & { readonly own: PresentTime | undefined },
): Promise<SlotInputs | null> {
  const facts = await findSlotInputs(db, query)
  if (facts === null || own === undefined) return facts
  const place = { calendarId: facts.calendar.id, locationId: own.conflictLocationId }
  const times =
    facts.typeDurationMinutes === null ? await findSchedulingTimes(db, { ...query, ...place }) : facts.times
  return { ...facts, times: { ...times, busy: removeInterval(times.busy, own) } }
}

/** A new booking needs its type. An appointment that is moved knows its length without it. */
function isTypeMissing(
  { typeDurationMinutes }: SlotInputs,
  { typeId, own }: { readonly typeId: string | null; readonly own: PresentTime | undefined },
): boolean {
  return typeId !== null && typeDurationMinutes === null && own === undefined
}

/** A calendar that takes no new bookings still lets an appointment move. Source: rules A19, G8 and S13. */
function offersNothing({ times, isPaused }: SlotInputs, own: PresentTime | undefined): boolean {
  return times.isUnchecked || (isPaused && own === undefined)
}

/** How long an appointment takes: one that is moved keeps its length. */
function toMinutes({ typeDurationMinutes }: SlotInputs, own: Interval | undefined): number {
  if (own !== undefined) return (own.endMs - own.startMs) / MINUTE_MS
  return typeDurationMinutes ?? DEFAULT_DURATION_MINUTES
}

/**
 * What scheduling needs to know of a calendar.
 * @throws ProblemError `calendar.not_found`
 */
export async function getSchedulingCalendar(db: Db, slug: string): Promise<SchedulingCalendar> {
  const calendar = await findSchedulingCalendar(db, slug)
  if (calendar === null) throw new ProblemError('calendar.not_found')
  return calendar
}

/**
 * What a booking of this type takes, or one without a type.
 * @throws ProblemError `calendar.not_found`, `booking.type_unknown`
 */
export async function getTimeNeeded(db: Db, calendarId: string, typeId: string | null): Promise<TimeNeeded> {
  const taken = await findTypeRequirements(db, calendarId, typeId)
  if (taken === null) throw new ProblemError('calendar.not_found')
  const { typeDurationMinutes, conflictLocationId } = taken
  if (typeId !== null && typeDurationMinutes === null) throw new ProblemError('booking.type_unknown')
  return { durationMinutes: typeDurationMinutes ?? DEFAULT_DURATION_MINUTES, conflictLocationId }
}

/** A start with the buffer of its calendar on both sides: what else is within it stands in the way. Source: rule T12. */
export function addBuffer(
  { startsAtMs, durationMinutes }: { readonly startsAtMs: number; readonly durationMinutes: number },
  { bufferMinutes }: Pick<SlotRules, 'bufferMinutes'>,
): Interval {
  const bufferMs = bufferMinutes * MINUTE_MS
  return { startMs: startsAtMs - bufferMs, endMs: startsAtMs + durationMinutes * MINUTE_MS + bufferMs }
}

type StartInput = {
  readonly calendar: SchedulingCalendar
  readonly timeNeeded: TimeNeeded
  readonly startsAtMs: number
  readonly nowMs: number
  /** True where it is known, under the locks, that it reads no external calendar and its person has no other one. */
  readonly isAlone?: boolean
}

export type SlotVerdict = 'open' | 'unavailable' | 'location_taken'

/** An appointment that is to be moved, by its present time. It is not in its own way. */
type Moved = { readonly own?: Interval }

/**
 * Whether exactly this start can still be booked. It is checked inside the booking's transaction, under its locks.
 * `location_taken` when only the location is taken. Source: rules T20 and A19.
 */
export async function checkSlot(db: Db, { own, ...input }: StartInput & Moved): Promise<SlotVerdict> {
  const { startsAtMs } = input
  const loaded = await loadStartQuery(db, input)
  const query = { ...loaded, busy: withoutOwn(loaded.busy, own) }
  if (query.isUnchecked) return 'unavailable'
  if (isOpenSlot(query, startsAtMs)) return 'open'
  return isOpenSlot({ ...query, locationBusy: [] }, startsAtMs) ? 'location_taken' : 'unavailable'
}

/** A start that a customer wants: for a booking, or for an appointment that is moved. */
export type RequestedStart = {
  readonly slug: string
  readonly typeId: string | null
  readonly startsAtMs: number
  readonly own?: PresentTime | undefined
}

/**
 * Whether customers are offered exactly this start at present; for an appointment that is moved, while it does not take its own
 * time. Nothing is locked: it saves work for a time that could not be booked anyway, and the booking decides again.
 */
export async function isStartOffered(
  deps: SlotsDeps,
  { slug, typeId, startsAtMs, own }: RequestedStart,
): Promise<boolean> {
  const nowMs = deps.now()
  const during = { startMs: startsAtMs - LONGEST_REACH_MS, endMs: startsAtMs + LONGEST_REACH_MS }
  const facts = await findInputs(deps.db, { slug, typeId, during, nowMs, own })
  if (facts === null || isTypeMissing(facts, { typeId, own })) return false
  const { timeZone, rules } = facts.calendar
  const { times } = facts
  if (offersNothing(facts, own)) return false
  return isOpenSlot({ timeZone, durationMinutes: toMinutes(facts, own), rules, nowMs, ...times }, startsAtMs)
}

/** How far from a start something can be that stands against it, whatever is booked. */
const LONGEST_REACH_MS =
  (SLOT_RULE_LIMITS.longestAppointmentMinutes + SLOT_RULE_LIMITS.bufferMinutes) * MINUTE_MS

/** Everything that takes time around the day on which a start lies, and the stretch of time that was looked at. */
export async function getTimesAroundDay(
  db: Db,
  { calendar, timeNeeded, startsAtMs, nowMs, isAlone }: StartInput,
): Promise<SchedulingTimes & { readonly during: Interval }> {
  const during = busyWindow({ firstDate: localDateOf(startsAtMs, calendar.timeZone), dayCount: 1 })
  const place = { calendarId: calendar.id, locationId: timeNeeded.conflictLocationId }
  return { during, ...(await findSchedulingTimes(db, { ...place, during, nowMs, isAlone })) }
}

/** What stands against a start that the owner chose. An owner can book more than is offered. */
export async function checkOwnerStart(db: Db, { own, ...input }: StartInput & Moved): Promise<StartCheck> {
  const query = await loadStartQuery(db, input)
  return checkStart({ ...query, busy: withoutOwn(query.busy, own) }, input.startsAtMs)
}

function withoutOwn(busy: readonly Interval[], own: Interval | undefined): readonly Interval[] {
  return own === undefined ? busy : removeInterval(busy, own)
}

/** Everything that matters to one start. */
async function loadStartQuery(db: Db, input: StartInput) {
  const { calendar, timeNeeded, startsAtMs, nowMs, isAlone } = input
  const reachMs = (timeNeeded.durationMinutes + calendar.rules.bufferMinutes) * 60_000
  const during = { startMs: startsAtMs - reachMs, endMs: startsAtMs + reachMs }
  const place = { calendarId: calendar.id, locationId: timeNeeded.conflictLocationId }
  const times = await findSchedulingTimes(db, { ...place, during, nowMs, isAlone })
  return {
    timeZone: calendar.timeZone,
    durationMinutes: timeNeeded.durationMinutes,
    rules: calendar.rules,
    nowMs,
    ...times,
  }
}

/**
 * Whether something else is at the time of an appointment that was agreed before. Opening hours, the grid and the past
 * do not matter to it. It is checked inside the transaction that takes the time, under its locks; the appointment
 * itself must not take the time yet. Source: rule A5.
 */
export async function isTimeTaken(
  db: Db,
  input: {
    calendarId: string
    time: Interval
    /** The minutes that are kept free on both sides, on this calendar. */
    bufferMinutes: number
    conflictLocationId: string | null
    nowMs: number
  },
): Promise<boolean> {
  const { time, conflictLocationId, nowMs } = input
  const bufferMs = input.bufferMinutes * 60_000
  const wide = { startMs: time.startMs - bufferMs, endMs: time.endMs + bufferMs }
  const place = { calendarId: input.calendarId, locationId: conflictLocationId }
  const { busy, locationBusy } = await findSchedulingTimes(db, { ...place, during: wide, nowMs })
  return busy.some((taken) => overlaps(taken, wide)) || locationBusy.some((taken) => overlaps(taken, time))
}

function toDayOfSlots({ date, startsMs }: OpenDay, shown: Shown): { date: string; slots: Slot[] } {
  return { date, slots: startsMs.map((startMs) => toSlot(startMs, shown)) }
}

function toSlot(startMs: number, { timeZone, durationMinutes }: Shown): Slot {
  const endMs = startMs + durationMinutes * MINUTE_MS
  return {
    slot_start: localTimeOf(startMs, timeZone),
    slot_end: localTimeOf(endMs, timeZone),
    starts_at: toRfc3339(startMs),
    ends_at: toRfc3339(endMs),
  }
}
