import { randomUUID } from 'node:crypto'
import { addDays, dayOfWeek, toEpochMs } from '#core/shared/zoned-time.ts'
import { startPostgres } from '#tests/support/postgres-server.ts'
import { type ServerProgram, startServerProgram } from './support/child-process.ts'
import { recordFigures } from './support/figures.ts'
import type { LoadRequest } from './support/full-load.ts'
import { appointmentTypeIdOf, type SeededPractices, seedPractices } from './support/practices.ts'
import { startMeasuredServer } from './support/product.ts'
import { measureAlternately, median, medianRatio } from './support/rounds.ts'

/**
 * `node bench/bookings.ts`: measures bookings over HTTP with durable commits, 16 at a time, all at different times of two hundred
 * calendars.
 *
 * Compares Meridian with the same transaction written by hand, and with a single bare insert; and again with an idempotency
 * key for each request, as the booking page sends it. Each contender books on fifty calendars of its own, so that no request
 * waits for another contender's rows; the single insert has a separate table.
 */
const SIZE = { calendars: 2_000, appointments: 100, customers: 50 }
/**
 * Eleven rounds, because the ratios of single rounds differ by a factor of two, and the median of five rounds still varied by 15
 * % between runs. `seconds`: the duration of a round.
 */
const LOAD = { rounds: 11, connections: 16, seconds: 4 }
/**
 * Bookings prepared per round: more than the fastest machine makes in a round or in the warm-up. All rounds together have to fit
 * into the days of `listBookings`.
 */
const PER_ROUND = 16_000
/**
 * Every third booking is by a new customer. The number shares no factor with the number of calendars, so that each calendar gets
 * new customers.
 */
const NEW_EVERY = 3
/**
 * Number of customers who have booked before, over all calendars. Three times as many requests make each of them book once; the
 * warm-up sends more than that.
 */
const KNOWN_PEOPLE = 500
/** Ratios to reach. `insert` is `transaction` times 0.16, the ratio of a transaction written by hand to a bare insert. */
const TO_REACH = { transaction: 0.45, insert: 0.07 }

const server = await startPostgres()
const listeners: ServerProgram[] = []
try {
  const practices = await seedPractices({ url: server.url, dataDir: 'unused' }, SIZE)
  const product = await startMeasuredServer(server)
  listeners.push(product)
  const floor = await startServerProgram('bench/support/floor-bookings.ts', { DATABASE_URL: server.url })
  listeners.push(floor)

  const toBook = (calendar: number) => `/api/public/calendars/practice-${calendar}/appointments`
  const contend = (name: string, listener: ServerProgram, firstCalendar: number, how: Partial<How>) => ({
    name,
    listener,
    requests: (round: number) =>
      listBookings(practices, firstCalendar, round, { path: toBook, keyed: false, ...how }),
  })
  const contenders = [
    contend('product', product, 1_801, {}),
    contend('transaction', floor, 1_851, {}),
    contend('insert', floor, 1_851, { path: (calendar) => `/bare/${calendar}` }),
    contend('product, keyed', product, 1_901, { keyed: true }),
    contend('transaction, keyed', floor, 1_951, { keyed: true }),
  ]
  const reached = await measureAlternately(contenders, LOAD)
  const [ofProduct = [], ofTransaction = [], ofInsert = [], ofKeyed = [], ofKeyedTransaction = []] = reached
  const figure = (what: string, [ofWhat, ofFloor]: readonly [number[], number[]], toReach: number) => {
    const ratio = medianRatio(ofWhat, ofFloor)
    return {
      what: `POST …/appointments, server, 16 connections, ${what}`,
      measured: median(ofWhat),
      floor: median(ofFloor),
      ratio,
      unit: 'bookings/s',
      toReach: `at least ${toReach} of the floor`,
      reached: ratio >= toReach,
    }
  }
  await recordFigures('bookings', [
    figure('against its transaction by hand', [ofProduct, ofTransaction], TO_REACH.transaction),
    figure('against one bare insert', [ofProduct, ofInsert], TO_REACH.insert),
    figure('with a key, against the same by hand', [ofKeyed, ofKeyedTransaction], TO_REACH.transaction),
  ])
} finally {
  for (const listener of listeners) await listener.stop()
  await server.remove()
}

type How = { readonly path: (calendar: number) => string; readonly keyed: boolean }

/** Lists bookings of free times after all seeded appointments: the half hours of working days, on fifty calendars in turn. */
function listBookings(
  { firstDate }: SeededPractices,
  firstCalendar: number,
  round: number,
  { path, keyed }: How,
): LoadRequest[] {
  const dates = listWorkingDays(addDays(firstDate, 30), 220)
  return Array.from({ length: PER_ROUND }, (_, i) => {
    const calendar = firstCalendar + (i % 50)
    const nth = round * (PER_ROUND / 50) + Math.floor(i / 50)
    const minutes = (nth % 18) * 30 + (nth % 18 < 8 ? 8 * 60 : 9 * 60)
    const startsAtMs = toEpochMs(dates[Math.floor(nth / 18)] ?? '', minutes * 60, 'Europe/London')
    const person = toPerson(i, round)
    return {
      path: path(calendar),
      ...(keyed && { key: randomUUID() }),
      body: {
        appointment_type_id: appointmentTypeIdOf(calendar),
        starts_at: new Date(startsAtMs).toISOString(),
        time_zone: 'Europe/London',
        customer: { name: `Visitor ${person}`, email: `visitor-${person}@example.com` },
      },
    }
  })
}

/**
 * Chooses the customer of a booking. Every third booking is by a customer who is new to the calendar. From the warm-up on, the
 * others are by customers who have booked before. A new customer costs several times as much as a known one, so the share must
 * not depend on a contender's speed.
 */
function toPerson(i: number, round: number): string {
  return i % NEW_EVERY === 0 ? `${round}-${i}` : String((i * 31) % KNOWN_PEOPLE)
}

function listWorkingDays(fromDate: string, count: number): string[] {
  const dates: string[] = []
  for (let date = fromDate; dates.length < count; date = addDays(date, 1)) {
    if (![0, 6].includes(dayOfWeek(date))) dates.push(date)
  }
  return dates
}
