import { LIMITS } from '#contract/shared/limits.ts'
import type { ProblemCode } from '#contract/shared/problem.ts'
import type {
  FirstAvailableTimesResponse,
  Slot,
  SlotCountsPerDay,
  SlotsResponse,
} from '#contract/slots/slots.ts'
import type { ZonedOpeningHours } from '#core/appointments/agenda-days.ts'
import { findSpecialDaysOn } from '#core/availability/special-days.ts'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { type Interval, overlaps, removeInterval } from '#core/shared/interval.ts'
import { localDateOf, localTimeOf, toRfc3339, toWholeDaysInterval } from '#core/shared/zoned-time.ts'
import { type CountedLimits, NO_LIMITS, type ReachedLimit } from '#core/slots/booking-limits.ts'
import { type BookableDates, type BookingWindow, toBookableTime } from '#core/slots/booking-window.ts'
import { describeDateOutsideWindow } from '#core/slots/describe-window.ts'
import {
  type DayRange,
  earliestDateNow,
  fillMissingDays,
  groupByDisplayedDay,
  limitToBookableDays,
  removeStartsWithin,
  toCalendarZoneDays,
} from '#core/slots/displayed-days.ts'
import {
  explainStart,
  findReasonBeyondBounds,
  isOpenSlot,
  listReachedLimits,
  type StartQuery,
  type StartReason,
} from '#core/slots/explain-start.ts'
import { pickFirstAvailableTimes, SUGGESTED_DAY_COUNT } from '#core/slots/first-times.ts'
import { MAX_DAYS_AHEAD } from '#core/slots/max-days-ahead.ts'
import { addBuffer, NO_OWNERS_WORK, type OwnersWork, toOccupiedTime } from '#core/slots/occupied-time.ts'
import { getBusyTimeWindow, MAX_DISTANCE_MS, type OpenDay } from '#core/slots/open-slots.ts'
import { getSeriesDays } from '#core/slots/plan-series.ts'
import { listOpenStarts, withoutFullness } from '#core/slots/session-starts.ts'
import type { Session } from '#core/slots/sessions.ts'
import { SLOT_RULE_LIMITS, type SlotRules } from '#core/slots/slot-rules.ts'
import { START_STEP_LIMITS } from '#core/slots/start-pattern.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { loadBookableDates } from './bookable-dates.ts'
import { countTowardsLimits } from './limits-repository.ts'
import { listSessions } from './sessions-repository.ts'
import {
  findPublicNote,
  findSchedulingCalendar,
  findSchedulingTimes,
  findSlotInputs,
  findTypeRequirements,
  listOpeningHours,
  type SchedulingCalendar,
  type SchedulingTimes,
  type SlotInputs,
  type TypeTime,
} from './times-repository.ts'

export type SlotsDeps = { readonly db: Db; readonly now: Clock }

/** The time that an appointment without a type takes. Source: rules T7 and T46. */
export const TIME_WITHOUT_TYPE: TypeTime = { durationMinutes: 30, ...NO_OWNERS_WORK, seats: null }

/** Returns the opening hours of calendars on some dates, for screens that show them beside appointments. */
export async function getOpeningHours(
  deps: Pick<SlotsDeps, 'db'>,
  calendars: readonly { readonly id: string; readonly timezone: string }[],
  days: DayRange,
): Promise<(ZonedOpeningHours & { readonly calendarId: string })[]> {
  const hoursOf = await listOpeningHours(
    deps.db,
    calendars.map(({ id }) => id),
    getBusyTimeWindow(days),
  )
  return calendars.map(({ id, timezone }) => ({
    calendarId: id,
    timeZone: timezone,
    ...(hoursOf.get(id) ?? { openings: [], specialDays: [] }),
  }))
}

/** The time and place that a booking needs: its duration, the work around it and its exclusive location, if any. */
export type BookingRequirements = TypeTime & {
  readonly conflictLocationId: string | null
  /** The type whose limits apply. */
  readonly typeId: string | null
}

/** The current time of an appointment that is being moved, the work around it and the exclusive location that it occupies. */
export type CurrentAppointmentTime = Interval &
  OwnersWork & {
    readonly conflictLocationId: string | null
    /** True when it moves to a seat, which another session can have too. Source: rule B58. */
    readonly isSeat: boolean
    /** How many seats of its session move with it, itself included; undefined when it moves alone. Source: rule B60. */
    readonly movedSeats?: number | undefined
  }

/** A query for open times. `timeZone` is the zone of the days; it defaults to the calendar's zone. */
type TimesInput = {
  readonly slug: string
  readonly appointmentTypeId: string | undefined
  readonly timeZone: string | undefined
  /**
   * The appointment that is being moved. It does not conflict with itself and keeps its length. It can be moved even if
   * the calendar takes no new bookings or its type was deleted. Source: rule A19.
   */
  readonly own?: CurrentAppointmentTime
  /** Intervals in which no appointment may start, although the time is free. Source: rule A23. */
  readonly absences?: readonly Interval[]
}

/**
 * Returns the open times of one day, labelled in the requested zone, or the note to customers if there are none. Source: rules
 * T59, T70 and T80.
 * @throws ProblemError `calendar.not_found`, `booking.type_unknown`
 */
export async function getSlots(
  deps: SlotsDeps,
  input: TimesInput & { readonly date: string },
): Promise<SlotsResponse> {
  const { date } = input
  const { days, ...shown } = await listShownDays(deps, input, { firstDate: date, dayCount: 1 })
  const slots = days.flatMap((day) => day.startsMs).map((startMs) => toSlot(startMs, shown))
  const answer = { date, time_zone: shown.timeZone, slots }
  if (slots.length > 0) return answer
  const isSpecial = findSpecialDaysOn(shown.specialDays, toDayNumber(date)) !== undefined
  const note =
    (isSpecial ? await findPublicNote(deps.db, input) : null) ??
    noteOutsideWindow(date, { ...shown, nowMs: deps.now() }) ??
    (shown.isFullyBooked() ? 'This day is fully booked.' : null)
  return note === null ? answer : { ...answer, note }
}

/** Tells customers the day on which they can book a date, if the whole date is outside the booking window. Source: rule T70. */
function noteOutsideWindow(
  date: string,
  {
    window,
    bookable,
    calendarZone,
    timeZone,
    nowMs,
  }: WindowOfDays & { readonly timeZone: string; readonly nowMs: number },
): string | null {
  // Checked before the zone is loaded, because anybody can ask about any day.
  const isUnbounded = bookable.from === null && bookable.until === null
  if (isUnbounded || limitToBookableDays({ firstDate: date, dayCount: 1 }, nowMs) === null) return null
  const today = localDateOf(nowMs, calendarZone)
  const day = toWholeDaysInterval(date, date, timeZone)
  if (overlaps(day, toBookableTime(bookable, calendarZone))) return null
  const dateThere = localDateOf(day.startMs, calendarZone)
  return describeDateOutsideWindow(window, bookable, { date: dateThere, today })
}

/**
 * Counts the open times on each day of a range, both ends included, at most 62 days.
 * @throws ProblemError `calendar.not_found`, `booking.type_unknown`, `request.invalid`
 */
export async function countSlotsPerDay(
  deps: SlotsDeps,
  input: TimesInput & { readonly from: string; readonly to: string },
): Promise<SlotCountsPerDay> {
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
 * Numbers of days to search for the first open times. Most calendars have some within two weeks; the longer range is
 * searched only if they have none.
 */
const SEARCHED_DAYS = [14, LIMITS.daysRange] as const

/**
 * Returns the first open times from now on, so that customers need not pick a day first. Source: rule T33.
 * @throws ProblemError `calendar.not_found`, `booking.type_unknown`
 */
export async function getFirstSlots(
  deps: SlotsDeps,
  input: TimesInput,
): Promise<FirstAvailableTimesResponse> {
  const [soon, far] = SEARCHED_DAYS
  const within = await listFirstDays(deps, input, soon)
  const { days, ...shown } =
    within.days.length === SUGGESTED_DAY_COUNT ? within : await listFirstDays(deps, input, far)
  return { time_zone: shown.timeZone, days: days.map((day) => toDayOfSlots(day, shown)) }
}

async function listFirstDays(deps: SlotsDeps, input: TimesInput, dayCount: number) {
  const firstDate = earliestDateNow(deps.now())
  const { days, ...shown } = await listShownDays(deps, input, { firstDate, dayCount })
  return { ...shown, days: pickFirstAvailableTimes(days) }
}

/**
 * Returns the open times of consecutive days in the calendar's zone, grouped by day, exactly as customers see them.
 * @throws ProblemError `calendar.not_found`, `booking.type_unknown`
 */
export async function getSlotsByDay(
  deps: SlotsDeps,
  input: Omit<TimesInput, 'timeZone'> & DayRange,
): Promise<{ time_zone: string; days: { date: string; slots: Slot[] }[] }> {
  const { days, ...shown } = await listShownDays(deps, { ...input, timeZone: undefined }, input)
  return {
    time_zone: shown.timeZone,
    days: days.map((day) => toDayOfSlots(day, shown)),
  }
}

/** The start times offered to customers in a range of days of the calendar's zone, at most 366 days. */
type FreeStarts = Shown & {
  readonly startsMs: readonly number[]
}

/**
 * Lists the free starts of a type, computed by the same code that serves customers.
 * @throws ProblemError `calendar.not_found`, `booking.type_unknown`
 */
export async function listFreeStartTimes(
  deps: SlotsDeps,
  input: Omit<TimesInput, 'timeZone'> & DayRange,
): Promise<FreeStarts> {
  const { days, ...shown } = await listShownDays(deps, { ...input, timeZone: undefined }, input)
  return { ...shown, startsMs: days.flatMap((day) => day.startsMs) }
}

/** The zone in which slots are shown, and the time that an appointment takes. */
type Shown = TypeTime & {
  readonly timeZone: string
  /** Returns how many seats are left at a start; null when customers do not read that. */
  readonly toSeatsLeft: (startMs: number) => number | null
}

/** The booking window of the listed times. */
type WindowOfDays = {
  readonly window: BookingWindow
  readonly bookable: BookableDates
  /** The zone of its dates. */
  readonly calendarZone: string
}

type ListedDays = {
  readonly days: OpenDay[]
  /** True when the days would have times if no limit were reached and each session had a free seat. Source: rule T80. */
  readonly isFullyBooked: () => boolean
}

/** Lists the open times of days in the requested zone. Such a day may span two days of the calendar's zone. */
async function listShownDays(
  deps: SlotsDeps,
  input: TimesInput,
  range: DayRange,
): Promise<Shown & WindowOfDays & Pick<SchedulingTimes, 'specialDays'> & ListedDays> {
  const { slug, appointmentTypeId: typeId = null, own, absences = [] } = input
  const nowMs = deps.now()
  const facts = await findInputs(deps.db, { slug, typeId, during: getBusyTimeWindow(range), nowMs, own })
  if (facts === null) throw new ProblemError('calendar.not_found')
  if (isTypeMissing(facts, { typeId, own })) throw new ProblemError('booking.type_unknown')
  const { calendar, times } = facts
  const timeZone = input.timeZone ?? calendar.timezone
  const typeTime = toTypeTime(facts, own)
  const shared = {
    timeZone,
    ...typeTime,
    specialDays: times.specialDays,
    window: times.typeWindow ?? calendar.rules.window,
    bookable: await findBookableDates(deps.db, calendar, times, nowMs),
    calendarZone: calendar.timezone,
  }
  const { seats } = typeTime
  const bookable = isClosedForBooking(facts, own) ? null : limitToBookableDays(range, nowMs)
  if (bookable === null) {
    return {
      ...shared,
      toSeatsLeft: () => null,
      days: fillMissingDays([], range),
      isFullyBooked: () => false,
    }
  }
  const inCalendarZone = toCalendarZoneDays(bookable, timeZone, calendar.timezone)
  const during = getBusyTimeWindow(range)
  const sessions = await listSessions(deps.db, { calendarId: calendar.id, typeId, seats, during })
  const query = {
    ...inCalendarZone,
    timeZone: calendar.timezone,
    ...typeTime,
    rules: calendar.rules,
    bookable: shared.bookable,
    ...times,
    sessions,
    ...(await countTowardsLimits(deps.db, times.bookingLimits, {
      calendar,
      typeId,
      days: inCalendarZone,
      ownStartMs: own?.startMs,
    })),
    nowMs,
  }
  const listDays = (asked: StartQuery & DayRange) => {
    const days = removeStartsWithin(listOpenStarts(asked), absences)
    return timeZone === calendar.timezone ? days : groupByDisplayedDay(days, bookable, timeZone)
  }
  const isFullyBooked = () => {
    const notFull = withoutFullness(query)
    return notFull !== null && listDays(notFull).some(({ startsMs }) => startsMs.length > 0)
  }
  const seatsLeft = new Map(sessions.map((session) => [session.startMs, session.seatsLeft]))
  const toSeatsLeft = (startMs: number) => (facts.showsSeats ? (seatsLeft.get(startMs) ?? seats) : null)
  return { ...shared, toSeatsLeft, days: fillMissingDays(listDays(query), range), isFullyBooked }
}

/** The type's own booking window replaces its calendar's. Source: rule T69. */
async function findBookableDates(
  db: Db,
  { rules, ...calendar }: SchedulingCalendar,
  { typeWindow }: Pick<SchedulingTimes, 'typeWindow'>,
  nowMs: number,
): Promise<BookableDates> {
  const window = typeWindow ?? rules.window
  return (await loadBookableDates(db, calendar, [window], nowMs))(window)
}

/**
 * Loads the slot inputs, leaving out the busy time of the appointment being moved. If its type no longer exists, the
 * appointment keeps the agreed location. Source: rules A17 and A19.
 */
async function findInputs(
  db: Db,
  {
    own,
    ...query
  }: Parameters<typeof findSlotInputs>[1] & { readonly own: CurrentAppointmentTime | undefined },
): Promise<SlotInputs | null> {
  const facts = await findSlotInputs(db, query)
  if (facts === null || own === undefined) return facts
  const place = { calendarId: facts.calendar.id, locationId: own.conflictLocationId }
  const times = facts.typeTime === null ? await findSchedulingTimes(db, { ...query, ...place }) : facts.times
  const busy = withoutOwn(times.busy, toOccupiedTime(own, own), own.movedSeats)
  return { ...facts, times: { ...times, busy } }
}

/**
 * True when a new booking names a type that does not exist. A move does not need the type: the appointment has its own
 * length.
 */
function isTypeMissing(
  { typeTime }: SlotInputs,
  { typeId, own }: { readonly typeId: string | null; readonly own?: CurrentAppointmentTime | undefined },
): boolean {
  return typeId !== null && typeTime === null && own === undefined
}

/** True when no times may be offered. A paused calendar still allows moves. Source: rules A19, G8 and S13. */
function isClosedForBooking(
  { times, isPaused }: SlotInputs,
  own: CurrentAppointmentTime | undefined,
): boolean {
  return times.isUnchecked || (isPaused && own === undefined)
}

/** Returns the time that the appointment takes; an appointment being moved keeps its own. */
function toTypeTime(
  { typeTime }: Pick<SlotInputs, 'typeTime'>,
  own: CurrentAppointmentTime | undefined,
): TypeTime {
  if (own === undefined) return typeTime ?? TIME_WITHOUT_TYPE
  const { startMs, endMs, prepareMinutes, wrapUpMinutes, isSeat } = own
  const seats = isSeat ? (typeTime?.seats ?? null) : null
  return { durationMinutes: (endMs - startMs) / MINUTE_MS, prepareMinutes, wrapUpMinutes, seats }
}

/**
 * Returns the scheduling facts of a calendar.
 * @throws ProblemError `calendar.not_found`
 */
export async function getSchedulingCalendar(db: Db, slug: string): Promise<SchedulingCalendar> {
  const calendar = await findSchedulingCalendar(db, slug)
  if (calendar === null) throw new ProblemError('calendar.not_found')
  return calendar
}

/**
 * Returns the time and place that a booking needs, with or without a type.
 * @throws ProblemError `calendar.not_found`, `booking.type_unknown`
 */
export async function getBookingRequirements(
  db: Db,
  calendarId: string,
  typeId: string | null,
): Promise<BookingRequirements> {
  const taken = await findTypeRequirements(db, calendarId, typeId)
  if (taken === null) throw new ProblemError('calendar.not_found')
  const { typeTime, conflictLocationId } = taken
  if (typeId !== null && typeTime === null) throw new ProblemError('booking.type_unknown')
  return { ...(typeTime ?? TIME_WITHOUT_TYPE), conflictLocationId, typeId }
}

/**
 * Returns the time in which another event of the person conflicts with a start: its preparation, its wrap-up and the
 * buffer around them. Source: rules T12 and T47.
 */
export function toConflictTime(
  startsAtMs: number,
  typeTime: TypeTime,
  { bufferMinutes }: Pick<SlotRules, 'bufferMinutes'>,
): Interval {
  const time = { startMs: startsAtMs, endMs: startsAtMs + typeTime.durationMinutes * MINUTE_MS }
  return addBuffer(toOccupiedTime(time, typeTime), bufferMinutes)
}

type StartInput = {
  readonly calendar: SchedulingCalendar
  readonly requirements: BookingRequirements
  readonly startsAtMs: number
  readonly nowMs: number
  /**
   * True when the caller holds the locks and knows that the calendar reads no external calendar, and that its person
   * has no other calendar.
   */
  readonly isAlone?: boolean
}

/** Whether a customer can book a start. The last three mean that nothing else speaks against it. */
export type SlotVerdict = 'open' | 'unavailable' | 'location_taken' | 'limit' | 'full'

/** What a customer reads who cannot book a start. */
export const SLOT_REFUSALS = {
  unavailable: 'booking.slot_unavailable',
  location_taken: 'booking.location_conflict',
  limit: 'booking.fully_booked',
  full: 'booking.session_full',
} as const satisfies Record<Exclude<SlotVerdict, 'open'>, ProblemCode>

/**
 * The current time of an appointment that is being moved. It does not conflict with itself, and it keeps the work
 * around it.
 */
type Moved = {
  readonly own?: Interval
  /** As in `CurrentAppointmentTime`. */
  readonly movedSeats?: number | undefined
}

/** Returns the verdict on a start that customers see, given all reasons against it. Source: rules T20 and A19. */
export function toSlotVerdict([reason, ...others]: readonly StartReason[]): SlotVerdict {
  if (reason === undefined) return 'open'
  const isNamed = reason === 'location_taken' || reason === 'limit' || reason === 'full'
  return isNamed && others.length === 0 ? reason : 'unavailable'
}

/** A start that a customer requests, for a booking or for moving an appointment. */
export type RequestedStart = {
  readonly slug: string
  readonly typeId: string | null
  readonly startsAtMs: number
  readonly own?: CurrentAppointmentTime | undefined
}

/**
 * True when customers are offered exactly this start now. For a move, the appointment's own time counts as free.
 * Nothing is locked: this early check only saves work, and the booking itself decides again.
 */
export async function isStartOffered(deps: SlotsDeps, start: RequestedStart): Promise<boolean> {
  const facts = await findStartInputs(deps, start)
  if (facts === null || isTypeMissing(facts, start)) return false
  return isOpenSlot(await toStartQuery(deps, facts, start), start.startsAtMs)
}

/**
 * Lists every reason why customers are not offered a start now, for its owner. `durationMinutes` is that of an appointment
 * without a type.
 * @throws ProblemError `calendar.not_found`, `booking.type_unknown`
 */
export async function explainRequestedStart(
  deps: SlotsDeps,
  start: RequestedStart & { readonly durationMinutes: number | undefined },
): Promise<{
  readonly calendar: SchedulingCalendar
  readonly typeTime: Omit<TypeTime, 'seats'>
  readonly reasons: readonly StartReason[]
  readonly reachedLimits: readonly ReachedLimit[]
  readonly bookable: BookableDates
  /** True when the type has a booking window of its own. */
  readonly hasOwnWindow: boolean
}> {
  const facts = await findStartInputs(deps, start)
  if (facts === null) throw new ProblemError('calendar.not_found')
  if (isTypeMissing(facts, start)) throw new ProblemError('booking.type_unknown')
  const usual = await toStartQuery(deps, facts, start)
  const query = { ...usual, durationMinutes: start.durationMinutes ?? usual.durationMinutes }
  return {
    calendar: facts.calendar,
    typeTime: query,
    reasons: explainStart(query, start.startsAtMs),
    reachedLimits: listReachedLimits(query, start.startsAtMs),
    bookable: usual.bookable,
    hasOwnWindow: facts.times.typeWindow !== null,
  }
}

/** The longest distance at which another event can conflict with the start of an appointment that is not being moved. */
const LONGEST_REACH_MS = SLOT_RULE_LIMITS.longestAppointmentMinutes * MINUTE_MS + MAX_DISTANCE_MS

function findStartInputs(
  deps: SlotsDeps,
  { slug, typeId, startsAtMs, own }: RequestedStart,
): Promise<SlotInputs | null> {
  const ownReachMs = own === undefined ? 0 : own.endMs - own.startMs + MAX_DISTANCE_MS
  const reachMs = Math.max(LONGEST_REACH_MS, ownReachMs)
  const during = { startMs: startsAtMs - reachMs, endMs: startsAtMs + reachMs }
  return findInputs(deps.db, { slug, typeId, during, nowMs: deps.now(), own })
}

/** A paused calendar still allows moves. Source: rule A19. */
async function toStartQuery(
  { db, now }: SlotsDeps,
  { calendar, times, ...facts }: SlotInputs,
  { typeId, startsAtMs, own }: Omit<RequestedStart, 'slug'>,
): Promise<StartQuery> {
  const nowMs = now()
  const typeTime = toTypeTime(facts, own)
  return {
    timeZone: calendar.timezone,
    ...typeTime,
    rules: calendar.rules,
    bookable: await findBookableDates(db, calendar, times, nowMs),
    nowMs,
    ...times,
    sessions: await listSessionsAt(db, { calendar, typeId, startsAtMs, seats: typeTime.seats }),
    ...(await countAroundStart(db, times, { calendar, typeId, startsAtMs, nowMs, own })),
    isPaused: facts.isPaused && own === undefined,
  }
}

/** Lists the sessions that begin at a start. */
function listSessionsAt(
  db: Db,
  {
    calendar,
    typeId,
    startsAtMs,
    seats,
  }: Pick<StartInput, 'calendar' | 'startsAtMs'> & Pick<BookingRequirements, 'typeId' | 'seats'>,
): Promise<Session[]> {
  const during = { startMs: startsAtMs, endMs: startsAtMs + 1 }
  return listSessions(db, { calendarId: calendar.id, typeId, seats, during })
}

/** True when a seat is free in a session that somebody has booked. Then a booking takes no time from anybody. */
export async function canJoinSession(
  db: Db,
  { calendar, requirements, startsAtMs }: Pick<StartInput, 'calendar' | 'requirements' | 'startsAtMs'>,
): Promise<boolean> {
  const sessions = await listSessionsAt(db, { calendar, startsAtMs, ...requirements })
  return sessions.some(({ seatsLeft }) => seatsLeft > 0)
}

/** Counts what has been booked towards the limits around a start; nothing for a start that nobody can book. */
async function countAroundStart(
  db: Db,
  { bookingLimits }: Pick<SchedulingTimes, 'bookingLimits'>,
  start: {
    readonly calendar: SchedulingCalendar
    readonly typeId: string | null
    readonly startsAtMs: number
    readonly nowMs: number
    readonly own: Interval | undefined
  },
): Promise<CountedLimits> {
  const { calendar, typeId, startsAtMs, nowMs, own } = start
  if (bookingLimits.length === 0 || findReasonBeyondBounds(startsAtMs, nowMs) !== null) return NO_LIMITS
  const days = { firstDate: localDateOf(startsAtMs, calendar.timezone), dayCount: 1 }
  return countTowardsLimits(db, bookingLimits, { calendar, typeId, days, ownStartMs: own?.startMs })
}

/** Returns all busy times around the day of a start, and the interval that was loaded. */
export async function getBusyTimesAroundDay(
  db: Db,
  { calendar, requirements, startsAtMs, nowMs, isAlone }: StartInput,
): Promise<SchedulingTimes & { readonly during: Interval }> {
  const during = getBusyTimeWindow({ firstDate: localDateOf(startsAtMs, calendar.timezone), dayCount: 1 })
  const { conflictLocationId: locationId, typeId } = requirements
  const place = { calendarId: calendar.id, locationId, typeId }
  return { during, ...(await findSchedulingTimes(db, { ...place, during, nowMs, isAlone })) }
}

/**
 * Lists every reason against a start, inside the transaction that takes the time and under its locks. Owners can book more than
 * customers are offered.
 */
export async function listReasonsUnderLock(db: Db, input: StartInput & Moved): Promise<StartReason[]> {
  return explainStart(await loadStartQuery(db, input), input.startsAtMs)
}

/** Loads all data that matter to one start. */
async function loadStartQuery(
  db: Db,
  { calendar, requirements, startsAtMs, nowMs, isAlone, own, movedSeats }: StartInput & Moved,
): Promise<StartQuery> {
  const { conflictLocationId: locationId, typeId, ...typeTime } = requirements
  // Whether a packed start is offered depends on busy times next to it (rule T64).
  const during = addBuffer(
    toConflictTime(startsAtMs, typeTime, calendar.rules),
    START_STEP_LIMITS.stepMinutes,
  )
  const place = { calendarId: calendar.id, locationId, typeId }
  const times = await findSchedulingTimes(db, { ...place, during, nowMs, isAlone })
  const { busy } = times
  return {
    timeZone: calendar.timezone,
    ...typeTime,
    rules: calendar.rules,
    bookable: await findBookableDates(db, calendar, times, nowMs),
    nowMs,
    ...times,
    // A whole session needs the whole time.
    sessions:
      movedSeats !== undefined ? [] : await listSessionsAt(db, { calendar, startsAtMs, ...requirements }),
    ...(await countAroundStart(db, times, { calendar, typeId, startsAtMs, nowMs, own })),
    busy: own === undefined ? busy : withoutOwn(busy, toOccupiedTime(own, typeTime), movedSeats),
  }
}

/**
 * Removes the time of the moved appointment once for each of its seats that move. What takes exactly the same time besides, such as
 * an event of an external calendar, stays.
 */
function withoutOwn(busy: readonly Interval[], own: Interval, movedSeats = 1): readonly Interval[] {
  let others = busy
  for (let seat = 0; seat < movedSeats; seat += 1) others = removeInterval(others, own)
  return others
}

/**
 * Loads all data that matter to a series of starts, at once. The starts are in order. Source: rule B39.
 * `isAlone` as for a single start.
 */
export async function loadSeriesQuery(
  db: Db,
  {
    calendar,
    requirements,
    startsMs,
    nowMs,
    isAlone,
  }: Omit<StartInput, 'startsAtMs'> & { readonly startsMs: readonly number[] },
): Promise<StartQuery> {
  const { conflictLocationId: locationId, typeId, ...typeTime } = requirements
  const latestMs = nowMs + MAX_DAYS_AHEAD * DAY_MS
  const bounded = (startMs = nowMs) => Math.max(nowMs - DAY_MS, Math.min(startMs, latestMs))
  const days = getSeriesDays(bounded(startsMs[0]), bounded(startsMs.at(-1)), calendar.timezone)
  const during = getBusyTimeWindow(days)
  const place = { calendarId: calendar.id, locationId, typeId }
  const times = await findSchedulingTimes(db, { ...place, during, nowMs, isAlone })
  return {
    timeZone: calendar.timezone,
    ...typeTime,
    rules: calendar.rules,
    bookable: await findBookableDates(db, calendar, times, nowMs),
    nowMs,
    ...times,
    ...(await countTowardsLimits(db, times.bookingLimits, { calendar, typeId, days, ownStartMs: undefined })),
  }
}

/**
 * True when another event occupies the time of an existing appointment. Opening hours, the grid of start times and the
 * past do not matter. Called in the transaction that occupies the time again, under its locks, before the appointment
 * itself occupies it. Source: rule A5.
 */
export async function isTimeOccupied(
  db: Db,
  input: {
    calendarId: string
    /** From the appointment's preparation to its wrap-up. */
    occupied: Interval
    /** The minutes to keep free on both sides on this calendar. */
    bufferMinutes: number
    conflictLocationId: string | null
    nowMs: number
  },
): Promise<boolean> {
  const { occupied, conflictLocationId, nowMs } = input
  const wide = addBuffer(occupied, input.bufferMinutes)
  const place = { calendarId: input.calendarId, locationId: conflictLocationId, typeId: null }
  const { busy, locationBusy } = await findSchedulingTimes(db, { ...place, during: wide, nowMs })
  return (
    busy.some((taken) => overlaps(taken, wide)) || locationBusy.some((taken) => overlaps(taken, occupied))
  )
}

function toDayOfSlots({ date, startsMs }: OpenDay, shown: Shown): { date: string; slots: Slot[] } {
  return { date, slots: startsMs.map((startMs) => toSlot(startMs, shown)) }
}

function toSlot(startMs: number, { timeZone, durationMinutes, toSeatsLeft }: Shown): Slot {
  const endMs = startMs + durationMinutes * MINUTE_MS
  const seatsLeft = toSeatsLeft(startMs)
  return {
    ...(seatsLeft === null ? {} : { seats_left: seatsLeft }),
    slot_start: localTimeOf(startMs, timeZone),
    slot_end: localTimeOf(endMs, timeZone),
    starts_at: toRfc3339(startMs),
    ends_at: toRfc3339(endMs),
  }
}
