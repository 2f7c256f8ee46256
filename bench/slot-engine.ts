import assert from 'node:assert/strict'
import { toDayNumber } from '#core/shared/calendar-date.ts'
import type { Interval } from '#core/shared/interval.ts'
import { getZoneOffsets } from '#core/shared/zone-offsets.ts'
import { toEpochMs } from '#core/shared/zoned-time.ts'
import { LIMIT_PERIODS, NO_LIMITS } from '#core/slots/booking-limits.ts'
import { ALL_DATES } from '#core/slots/booking-window.ts'
import { NO_OWNERS_WORK } from '#core/slots/occupied-time.ts'
import { listOpenSlots, type OpenSlotsQuery } from '#core/slots/open-slots.ts'
import { DEFAULT_SLOT_RULES } from '#core/slots/slot-rules.ts'
import { scanByHand } from './hand-written-sweep.ts'
import { type Figure, recordFigures } from './support/figures.ts'

/**
 * `node bench/slot-engine.ts`: measures the slot engine.
 *
 * The practice is in London, open on working days from 8:00 to 12:00 and 13:00 to 18:00, with half-hour slots, in a month in
 * which the clocks change. Every figure is the median of many rounds, in microseconds per call.
 */
const FIRST_DATE = '2027-03-01'
const TIME_ZONE = 'Europe/London'
const DAY_MS = 86_400_000
const FIRST_MS = toEpochMs(FIRST_DATE, 0, TIME_ZONE)

const month = query(31, busyTimes(500, 31))
const byHand = {
  query: month,
  zone: getZoneOffsets(TIME_ZONE, FIRST_MS - 3 * DAY_MS, FIRST_MS + 40 * DAY_MS),
  busyStartsMs: Float64Array.from(month.busy, (time) => time.startMs),
  busyEndsMs: Float64Array.from(month.busy, (time) => time.endMs),
}
const ruled = withAllRules(month)
const shuffledMonth = { ...month, busy: shuffle(month.busy) }
assert.deepEqual(listOpenSlots(month), scanByHand(byHand))
assert.deepEqual(listOpenSlots(shuffledMonth), scanByHand(byHand))
const slotCount = listOpenSlots(month).reduce((count, day) => count + day.startsMs.length, 0)

const [
  sweepMicros = Number.NaN,
  engineMicros = Number.NaN,
  jsonMicros = Number.NaN,
  ruledMicros = Number.NaN,
  shuffledMicros,
] = medianMicros([
  () => scanByHand(byHand),
  () => listOpenSlots(month),
  () => JSON.stringify(listOpenSlots(month)),
  () => listOpenSlots(ruled),
  () => listOpenSlots(shuffledMonth),
])
console.log(`31 days, 500 busy times, ${slotCount} slots`)
print('sweep written by hand', sweepMicros)
print('engine, busy times as a database orders them', engineMicros, sweepMicros)
print('engine and the JSON of its answer', jsonMicros, sweepMicros)
print('engine, with all rules of time', ruledMicros, sweepMicros)
print('engine, busy times in no order', shuffledMicros, sweepMicros)

const busyCounts = [50, 500, 5_000]
const byBusy = medianMicros(busyCounts.map((count) => callWith(31, count)))
console.log('\n31 days, by busy times')
busyCounts.forEach((count, i) => void print(`${count}`, byBusy[i], byBusy[0]))

const dayCounts = [1, 31, 62, 366]
const byDays = medianMicros(dayCounts.map((days) => callWith(days, 500)))
console.log('\n500 busy times, by days')
dayCounts.forEach((days, i) => void print(`${days}`, byDays[i], byDays[0]))

const busyGrowth = growthOf(busyCounts, byBusy)
const dayGrowth = growthOf(dayCounts, byDays)
await recordFigures('slot-engine', [
  toFigure('slot engine, 31 days, 500 busy times', engineMicros, sweepMicros, 3),
  toFigure('slot engine, 31 days, 500 busy times, all rules of time', ruledMicros, sweepMicros, 8),
  {
    what: 'slot engine and its JSON, 31 days, 500 busy times',
    measured: jsonMicros,
    floor: null,
    ratio: null,
    unit: 'µs',
    toReach: 'under 100 µs',
    reached: jsonMicros < 100,
  },
  toFigure('slot engine, 50 → 5,000 busy times: growth', busyGrowth, nLogN(busyCounts), 1),
  toFigure('slot engine, 1 → 366 days: growth', dayGrowth, (dayCounts.at(-1) ?? 0) / (dayCounts[0] ?? 1), 1),
])

/** The ratio of the last duration to the first. */
function growthOf(sizes: readonly number[], micros: readonly number[]): number {
  return (micros[sizes.length - 1] ?? Number.NaN) / (micros[0] ?? Number.NaN)
}

/** The ratio of n log n at the last size to n log n at the first. */
function nLogN(sizes: readonly number[]): number {
  const [first = 1, last = 1] = [sizes[0], sizes.at(-1)]
  return (last * Math.log(last)) / (first * Math.log(first))
}

function toFigure(what: string, measured: number, floor: number, atMost: number): Figure {
  const ratio = measured / floor
  const unit = atMost === 1 ? '×' : 'µs'
  return {
    what,
    measured,
    floor,
    ratio,
    unit,
    toReach: `at most ${atMost} × the floor`,
    reached: ratio <= atMost,
  }
}

function callWith(days: number, count: number): () => unknown {
  const asked = query(days, busyTimes(count, days))
  return () => listOpenSlots(asked)
}

function query(dayCount: number, busy: readonly Interval[]): OpenSlotsQuery {
  const hours = [
    [8, 12],
    [13, 18],
  ]
  return {
    firstDate: FIRST_DATE,
    dayCount,
    timeZone: TIME_ZONE,
    durationMinutes: 30,
    ...NO_OWNERS_WORK,
    ...NO_LIMITS,
    bookable: ALL_DATES,
    rules: DEFAULT_SLOT_RULES,
    openings: [1, 2, 3, 4, 5].flatMap((dayOfWeek) =>
      hours.map(([start = 0, end = 0]) => ({
        dayOfWeek,
        startSeconds: start * 3_600,
        endSeconds: end * 3_600,
      })),
    ),
    specialDays: [],
    busy,
    locationBusy: [],
    nowMs: FIRST_MS - DAY_MS,
  }
}

/** The practice with a rule of every kind; together they leave some times free. */
function withAllRules(query: OpenSlotsQuery): OpenSlotsQuery {
  const firstDay = toDayNumber(FIRST_DATE)
  const afternoon = { startSeconds: 14 * 3_600, endSeconds: 17 * 3_600 }
  return {
    ...query,
    typeOpenings: [1, 2, 3, 4, 5].map((dayOfWeek) => ({
      dayOfWeek,
      startSeconds: 9 * 3_600,
      endSeconds: 17 * 3_600,
    })),
    stepMinutes: 15,
    isPacked: true,
    prepareMinutes: 10,
    wrapUpMinutes: 5,
    rules: { ...query.rules, bufferMinutes: 5, noticeMinutes: 60 },
    bookable: { from: '2027-03-02', until: '2027-03-30' },
    specialDays: [8, 17].map((ahead) => ({
      firstDay: firstDay + ahead,
      lastDay: firstDay + ahead,
      hours: ahead === 8 ? [] : [afternoon],
    })),
    limits: LIMIT_PERIODS.flatMap((period) =>
      [true, false].map((is_of_type) => ({ limit: { period, unit: 'minutes', most: 40_000 }, is_of_type })),
    ),
    counted: Array.from({ length: 45 }, (_, i) => firstDay - 7 + i).flatMap((dayNumber) =>
      [true, false].map((isOfType) => ({ dayNumber, isOfType, appointments: 4, minutes: 120 })),
    ),
  }
}

/** Makes half hours that start on quarter hours at random times of the days, sorted by start; they may overlap. */
function busyTimes(count: number, days: number): Interval[] {
  const random = randomInteger()
  const starts = Array.from({ length: count }, () => FIRST_MS + random(days * 96) * 15 * 60_000)
  return starts.sort((a, b) => a - b).map((startMs) => ({ startMs, endMs: startMs + 30 * 60_000 }))
}

function shuffle(times: readonly Interval[]): Interval[] {
  const random = randomInteger()
  const keyed = times.map((time) => ({ time, key: random(1e9) }))
  return keyed.sort((a, b) => a.key - b.key).map(({ time }) => time)
}

/** Makes pseudorandom numbers below a bound, the same in every run. Source: Park and Miller's generator. */
function randomInteger(): (below: number) => number {
  let seed = 1
  return (below) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
}

/** Measures the median duration of each call. The calls take turns, so that a busy machine slows all of them alike. */
function medianMicros(calls: readonly (() => unknown)[]): number[] {
  const [warmUpRounds, rounds, callsPerRound] = [50, 400, 50]
  const samples = calls.map((): number[] => [])
  for (let round = -warmUpRounds; round < rounds; round++) {
    calls.forEach((call, i) => {
      const begin = performance.now()
      for (let j = 0; j < callsPerRound; j++) call()
      const micros = ((performance.now() - begin) / callsPerRound) * 1_000
      if (round >= 0) samples[i]?.push(micros)
    })
  }
  return samples.map((micros) => micros.sort((a, b) => a - b)[rounds / 2] ?? Number.NaN)
}

function print(label: string, micros = Number.NaN, comparedTo?: number): void {
  const ratio = comparedTo === undefined ? '' : `  ${(micros / comparedTo).toFixed(1)} ×`
  console.log(`  ${label.padEnd(46)}${micros.toFixed(1).padStart(8)} µs${ratio}`)
}
