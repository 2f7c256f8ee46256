import { Temporal } from 'temporal-polyfill'
import { ALL_DATES, type BookableDates } from '#core/slots/booking-window.ts'
import type { OpenSlotsQuery } from '#core/slots/open-slots.ts'
import { findSlotsSlowly } from '#tests/support/slow-slots.ts'
import { formatCaseInstant, type SlotCase, type SlotCaseInput, toSlotsQuery } from './slot-case.ts'

/** A day on which the rules are tried: four hours of opening, from `opens` on the clock. */
type Scene = {
  readonly name: string
  readonly timezone: string
  readonly date: string
  readonly opens: number
}

const SCENES: readonly Scene[] = [
  { name: 'a plain day', timezone: 'Europe/London', date: '2027-01-04', opens: 9 },
  { name: 'across midnight', timezone: 'Asia/Kathmandu', date: '2027-01-04', opens: 22 },
  { name: 'clocks forward', timezone: 'America/New_York', date: '2027-03-14', opens: 0 },
  { name: 'clocks back', timezone: 'America/New_York', date: '2027-11-07', opens: 0 },
]

/** What a rule adds to the input of a scene. `at` returns the instant some minutes after the opening. */
type Rule = (scene: Scene, at: (minutes: number) => string) => Partial<SlotCaseInput>

/** The rules that are tried alone and in pairs. Arrays of two rules are joined. */
const RULES: Readonly<Record<string, Rule>> = {
  buffer: () => ({ buffer_time_minutes: 15 }),
  location: (_, at) => ({ location_busy: [[at(150), at(170)]] }),
  notice: (_, at) => ({ now: at(-30), minimum_notice_minutes: 90 }),
  // From midnight on, the day is the last of the window.
  window: ({ opens }, at) => ({
    now: at(-30),
    booking_window: { kind: 'days', days: opens === 0 ? 1 : 0 },
  }),
  window_ended: (_, at) => ({ now: at(-2 * 1_440), booking_window: { kind: 'days', days: 1 } }),
  window_of_open_days: (_, at) => ({
    now: at(-2 * 1_440),
    booking_window: { kind: 'open_days', days: 1 },
  }),
  window_until: ({ date }) => ({ booking_window: { kind: 'until', until: date } }),
  // Where the opening reaches beyond midnight, the second day is the only one of the window.
  window_between: ({ date, opens }) => ({
    booking_window: { kind: 'between', from: opens > 20 ? tomorrow(date) : date, until: tomorrow(date) },
  }),
  special_day: ({ date, opens }) => ({
    special_days: [
      {
        from: date,
        until: date,
        hours: [{ start_time: clock(opens, 20), end_time: clock(Math.min(opens + 3, 24)) }],
      },
    ],
  }),
  too_long: () => ({ max_appointment_duration_minutes: 30 }),
  preparation: () => ({ prepare_minutes: 20 }),
  wrap_up: () => ({ wrap_up_minutes: 10 }),
  own_hours: ({ date, opens }) => ({
    type_availability: openFrom(date, opens * 60 + 10, opens * 60 + 180),
  }),
  start_step: () => ({ start_step_minutes: 20 }),
  own_length: () => ({ start_step_minutes: 'own_length' }),
  packed: () => ({ packed: true }),
  limit: ({ date }) => ({
    limits: [{ period: 'day', unit: 'minutes', most: 135, of_type: true }],
    booked: [{ date, of_type: true, appointments: 2, minutes: 90 }],
  }),
  limit_reached: ({ date }) => ({
    limits: [{ period: 'week', unit: 'appointments', most: 3, of_type: false }],
    booked: [
      { date: monday(date), of_type: false, appointments: 2, minutes: 60 },
      { date: sunday(date), of_type: true, appointments: 1, minutes: 45 },
    ],
  }),
  limit_of_month: ({ date }) => ({
    limits: [{ period: 'month', unit: 'appointments', most: 3, of_type: false }],
    booked: [
      { date: firstOfMonth(date), of_type: false, appointments: 2, minutes: 60 },
      { date: yesterday(firstOfMonth(date)), of_type: false, appointments: 1, minutes: 30 },
    ],
  }),
  seats: (_, at) => ({
    busy: [
      [at(120), at(165)],
      [at(180), at(225)],
    ],
    sessions: [
      { starts_at: at(120), ends_at: at(165), seats_left: 1 },
      { starts_at: at(180), ends_at: at(225), seats_left: 0 },
    ],
  }),
}

export const RULE_NAMES: readonly string[] = Object.keys(RULES)

/** Makes a case for each rule alone and each pair of rules, in each scene. */
export function makeRuleCases(): SlotCase[] {
  const pairs = RULE_NAMES.flatMap((one, i) => [
    [one],
    ...RULE_NAMES.slice(i + 1).map((other) => [one, other]),
  ])
  return SCENES.flatMap((scene) =>
    pairs.map((rules) => {
      const input = combine(scene, rules)
      return { name: `${rules.join(' + ')}: ${scene.name}`, rules, input, expected: findExpected(input) }
    }),
  )
}

/** Finds the whole answer without the engine. A session with a free seat can be joined although its own time is taken. */
export function findExpected(input: SlotCaseInput): string[] {
  const query = { ...toSlotsQuery(input), bookable: findBookableDates(input) }
  const ownTime = { ...query, busy: [], locationBusy: [], limits: [], isPacked: false, stepMinutes: 5 }
  const possible = new Set(findSlowly(input, ownTime))
  const joined = (query.sessions ?? []).filter(
    ({ startMs, seatsLeft }) => seatsLeft > 0 && possible.has(startMs),
  )
  const starts = new Set([...findSlowly(input, query), ...joined.map(({ startMs }) => startMs)])
  return [...starts].sort((a, b) => a - b).map(formatCaseInstant)
}

/** Finds the dates of a booking window by looking at one day after the other. */
function findBookableDates({ booking_window: window, now, ...hours }: SlotCaseInput): BookableDates {
  if (window === undefined || window.kind === 'none' || now === null) return ALL_DATES
  if (window.kind === 'until') return { from: null, until: window.until }
  if (window.kind === 'between') return window
  let date = Temporal.Instant.from(now).toZonedDateTimeISO(hours.timezone).toPlainDate().toString()
  for (let left = window.days; left > 0; ) {
    date = tomorrow(date)
    if (window.kind === 'days' || isOpenOn(date, hours)) left--
  }
  return { from: null, until: date }
}

function isOpenOn(
  date: string,
  { availability, special_days = [] }: Pick<SlotCaseInput, 'availability' | 'special_days'>,
): boolean {
  const special = special_days.find(({ from, until }) => from <= date && date <= until)
  const hours = special?.hours ?? availability.filter(({ day_of_week }) => day_of_week === weekdayOf(date))
  return hours.some(({ start_time, end_time }) => start_time < end_time)
}

function findSlowly({ date, days = 1 }: SlotCaseInput, query: OpenSlotsQuery): number[] {
  return Array.from({ length: days }, (_, i) =>
    Temporal.PlainDate.from(date).add({ days: i }).toString(),
  ).flatMap((day) => findSlotsSlowly(day, query))
}

function combine(scene: Scene, rules: readonly string[]): SlotCaseInput {
  const opensAt = Temporal.PlainDate.from(scene.date).toZonedDateTime({
    timeZone: scene.timezone,
    plainTime: clock(scene.opens),
  })
  const at = (minutes: number) => opensAt.add({ minutes }).toInstant().toString()
  const whole: SlotCaseInput = {
    date: scene.date,
    days: 2,
    timezone: scene.timezone,
    duration_minutes: 45,
    slot_duration_minutes: 30,
    buffer_time_minutes: 0,
    max_appointment_duration_minutes: 120,
    availability: openFrom(scene.date, scene.opens * 60, (scene.opens + 4) * 60),
    busy: [[at(60), at(85)]],
    location_busy: [],
    now: at(-7 * 1_440),
  }
  return rules.reduce((input, rule) => join(input, RULES[rule]?.(scene, at) ?? {}), whole)
}

/** Adds the fields of a rule. Lists that both have are joined, so that neither rule hides the other. */
function join(input: SlotCaseInput, added: Partial<SlotCaseInput>): SlotCaseInput {
  const before: Readonly<Record<string, unknown>> = input
  const joined = Object.entries(added).map(([field, value]) => {
    const list = before[field]
    return [field, Array.isArray(list) && Array.isArray(value) ? [...list, ...value] : value]
  })
  return { ...input, ...Object.fromEntries(joined) }
}

/** Makes the opening hours between two times of a day, in minutes after midnight. The second may be on the next day. */
function openFrom(date: string, from: number, until: number): SlotCaseInput['availability'] {
  const [day, midnight] = [weekdayOf(date), 24 * 60]
  const first = {
    day_of_week: day,
    start_time: clock(0, from),
    end_time: clock(0, Math.min(until, midnight)),
  }
  if (until <= midnight) return [first]
  return [first, { day_of_week: (day + 1) % 7, start_time: clock(0), end_time: clock(0, until - midnight) }]
}

function clock(hour: number, minute = 0): string {
  const parts = [hour + Math.floor(minute / 60), minute % 60, 0]
  return parts.map((part) => String(part).padStart(2, '0')).join(':')
}

function weekdayOf(date: string): number {
  return Temporal.PlainDate.from(date).dayOfWeek % 7
}

function tomorrow(date: string): string {
  return Temporal.PlainDate.from(date).add({ days: 1 }).toString()
}

function yesterday(date: string): string {
  return Temporal.PlainDate.from(date).subtract({ days: 1 }).toString()
}

function firstOfMonth(date: string): string {
  return Temporal.PlainDate.from(date).with({ day: 1 }).toString()
}

function monday(date: string): string {
  const day = Temporal.PlainDate.from(date)
  return day.subtract({ days: day.dayOfWeek - 1 }).toString()
}

function sunday(date: string): string {
  return Temporal.PlainDate.from(monday(date)).add({ days: 6 }).toString()
}
