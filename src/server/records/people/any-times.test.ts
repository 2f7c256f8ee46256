import { expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { SlotsResponse } from '#contract/slots/slots.ts'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { NO_OWNERS_WORK, type OwnersWork, toOccupiedTime } from '#core/slots/occupied-time.ts'
import { sendAppointmentAction } from '#tests/support/act-on.ts'
import { anyWorkMinutes } from '#tests/support/any-slots-query.ts'
import { makeFakeProviders, startFirstCheckout } from '#tests/support/checkouts.ts'
import * as fc from '#tests/support/fast-check.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { bookAppointment, makeCalendar, makeOwner, type TestOwner } from '#tests/support/meridian.ts'
import { addAppointmentType, connectStripe } from '#tests/support/stored-rows.ts'

let owner: TestOwner

/**
 * Two to four calendars of one person, in zones that differ by half an hour, around changes to and from summer time.
 * Each calendar must offer exactly the times that the appointments of all these calendars leave free, and these times
 * can be booked. Source: rules T39 and T47.
 */
setUpMeridian({
  hasWorkers: false,
  providers: makeFakeProviders(),
  env: { DEFAULT_PLAN: 'enterprise' },
})

const ZONES = [
  'Europe/London',
  'Asia/Kolkata',
  'Australia/Adelaide',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Asia/Kathmandu',
]

/** On each date but the last, clocks change in one of the zones: by an hour, or by half an hour on Lord Howe. */
const DATES = ['2027-03-28', '2027-10-31', '2027-04-04', '2027-10-03', '2027-03-14', '2027-06-16']

function anyWork(): fc.Arbitrary<OwnersWork> {
  return fc.record({ prepareMinutes: anyWorkMinutes(), wrapUpMinutes: anyWorkMinutes() })
}

const anyCalendar = fc.record({
  zone: fc.constantFrom(...ZONES),
  bufferMinutes: fc.integer({ min: 0, max: 12 }).map((fives) => fives * 5),
  slotMinutes: fc.constantFrom(15, 30, 60),
  duration: fc.constantFrom(20, 30, 45, 90),
  work: anyWork(),
})

/** The kinds of steps. In this order, each of them succeeds on one calendar. */
const KINDS = [
  'book',
  'hold',
  'book_by_owner',
  'change_buffer',
  'change_work',
  'move',
  'cancel',
  'restore',
] as const

const anyStep = fc.record({
  kind: fc.constantFrom('book', ...KINDS),
  calendar: fc.nat(100),
  pick: fc.nat(10_000),
})
type ValueOf<Any> = Any extends fc.Arbitrary<infer Each> ? Each : never
type Step = ValueOf<typeof anyStep>

type Practice = {
  readonly date: string
  readonly wanted: readonly ValueOf<typeof anyCalendar>[]
  readonly steps: readonly Step[]
}

const anyPractice: fc.Arbitrary<Practice> = fc.record({
  date: fc.constantFrom(...DATES),
  wanted: fc.array(anyCalendar, { minLength: 2, maxLength: 4 }),
  steps: fc.array(anyStep, { minLength: 6, maxLength: 14 }),
})

const WITH_EVERY_KIND: Practice = {
  date: '2027-10-03',
  wanted: [
    {
      zone: 'Australia/Lord_Howe',
      bufferMinutes: 10,
      slotMinutes: 30,
      duration: 45,
      work: { prepareMinutes: 15, wrapUpMinutes: 5 },
    },
    { zone: 'Asia/Kathmandu', bufferMinutes: 0, slotMinutes: 15, duration: 20, work: NO_OWNERS_WORK },
  ],
  steps: KINDS.map((kind) => ({ kind, calendar: 0, pick: 5 })),
}

type OneOfThem = Calendar & {
  readonly typeId: string
  readonly duration: number
  bufferMinutes: number
  /** The work of the type; booked appointments keep theirs. */
  work: OwnersWork
  /** The slots offered before anything is booked. */
  readonly all: readonly number[]
}

type Taken = {
  readonly id: string
  readonly calendar_id: string
  readonly starts_at: Date
  readonly ends_at: Date
  readonly prepare_minutes: number
  readonly wrap_up_minutes: number
  readonly status: string
  readonly released_at: Date | null
}

test('every offered time can be booked, and no other time of the grid is free', async () => {
  // Make sure that each kind of step can succeed: a step that is always refused would test nothing.
  expect(await tryOut(WITH_EVERY_KIND)).toEqual([...KINDS])
  await fc.assert(
    fc.asyncProperty(anyPractice, async (practice) => {
      await tryOut(practice)
    }),
    { numRuns: 8 },
  )
})

/** Runs the steps and compares the slots after each. Returns the steps that succeeded. */
async function tryOut({ date, wanted, steps }: Practice): Promise<Step['kind'][]> {
  owner = await makeOwner(meridian)
  meridian.clock.ms = Date.parse(date) - 3 * DAY_MS
  const calendars: OneOfThem[] = []
  for (const each of wanted) calendars.push(await make(each, date))
  const done: Step['kind'][] = []
  for (const step of steps) {
    if (await take(calendars, step, date)) done.push(step.kind)
    await expectExact(calendars, date)
  }
  return done
}

/** Creates a calendar that is open 24 hours a day. */
async function make(
  { zone, bufferMinutes, slotMinutes, duration, work }: ValueOf<typeof anyCalendar>,
  date: string,
): Promise<OneOfThem> {
  const calendar = await makeCalendar(meridian, owner, { timezone: zone, person_name: '' })
  const { db } = meridian.database
  const settings = { buffer_time_minutes: bufferMinutes, slot_duration_minutes: slotMinutes as 15 | 30 | 60 }
  await db.updateTable('calendars').set(settings).where('id', '=', calendar.id).execute()
  await meridian.database.execute('delete from availability where calendar_id = $1', [calendar.id])
  await meridian.database.execute(
    `insert into availability (calendar_id, id, day_of_week, start_time, end_time)
     select $1, gen_random_uuid(), day, '00:00', '24:00' from generate_series(0, 6) as day`,
    [calendar.id],
  )
  const typeId = await addAppointmentType(meridian, calendar.id, {
    duration,
    prepare_minutes: work.prepareMinutes,
    wrap_up_minutes: work.wrapUpMinutes,
    price_cents: 4_000,
  })
  await connectStripe(meridian, calendar.id)
  const one = { ...calendar, typeId, duration, bufferMinutes, work, all: [] }
  // The other calendars may have appointments already, so this one gets a different person while its slots are read.
  const alone = `update calendars set host_id = $2 where id = $1`
  const [person] = (
    await meridian.database.execute(
      `insert into hosts (user_id, id, name) values ($1, gen_random_uuid(), 'Nobody') returning id`,
      [owner.id],
    )
  ).rows
  await meridian.database.execute(alone, [calendar.id, person?.id])
  const all = await listOffered(one, date)
  await meridian.database.execute(alone, [calendar.id, owner.id])
  return { ...one, all }
}

/** Runs one step. Returns whether it succeeded. */
async function take(
  calendars: readonly OneOfThem[],
  { kind, calendar: at, pick }: Step,
  date: string,
): Promise<boolean> {
  const calendar = calendars[at % calendars.length]
  if (calendar === undefined) throw new Error('there are two')
  if (kind === 'change_buffer') return changeBuffer(calendar, (pick % 13) * 5)
  if (kind === 'change_work') return changeWork(calendar, pick)
  const offered = await listOffered(calendar, date)
  const startMs = offered[pick % Math.max(1, offered.length)]
  const startsAt = startMs === undefined ? null : new Date(startMs).toISOString()
  if (kind === 'cancel' || kind === 'restore') return act(calendars, calendar, kind, pick)
  if (startsAt === null) return false
  return kind === 'move' ? move(calendars, calendar, startsAt, pick) : bookOffered(calendar, startsAt, kind)
}

async function changeBuffer(calendar: OneOfThem, minutes: number): Promise<boolean> {
  calendar.bufferMinutes = minutes
  const changed = await asOwner(calendar, 'PATCH', '/slot-settings', { buffer_time_minutes: minutes })
  expect(changed.statusCode, changed.body).toBe(200)
  return true
}

async function changeWork(calendar: OneOfThem, pick: number): Promise<boolean> {
  calendar.work = { prepareMinutes: (pick % 7) * 5, wrapUpMinutes: (pick % 5) * 5 }
  const { prepareMinutes: prepare_minutes, wrapUpMinutes: wrap_up_minutes } = calendar.work
  const path = `/appointment-types/${calendar.typeId}`
  const changed = await asOwner(calendar, 'PATCH', path, { prepare_minutes, wrap_up_minutes })
  expect(changed.statusCode, changed.body).toBe(200)
  return true
}

/** Books an offered time, which must succeed. */
async function bookOffered(
  calendar: OneOfThem,
  startsAt: string,
  kind: 'book' | 'hold' | 'book_by_owner',
): Promise<boolean> {
  const body = { starts_at: startsAt, appointment_type_id: calendar.typeId, customer: anybody() }
  const ways = {
    book: () => bookAppointment(meridian, calendar.slug, body),
    hold: () => startFirstCheckout(meridian, calendar, body),
    book_by_owner: () => asOwner(calendar, 'POST', '/appointments', body),
  }
  const booked = await ways[kind]()
  expect(booked.statusCode, booked.body).toBe(201)
  return true
}

/** Moves an appointment to a time. It keeps its work, and the move must succeed exactly if that leaves the time free. */
async function move(
  calendars: readonly OneOfThem[],
  calendar: OneOfThem,
  startsAt: string,
  pick: number,
): Promise<boolean> {
  const taken = (await listTaken(calendars)).filter(takesTime)
  const rows = taken.filter((row) => row.calendar_id === calendar.id && row.status === 'confirmed')
  const row = rows[pick % Math.max(1, rows.length)]
  if (row === undefined) return false
  const wanted = toOccupied(Date.parse(startsAt), calendar.duration, workOf(row))
  const others = taken.filter(({ id }) => id !== row.id)
  const isFree = isFreeAt(calendar, wanted, others, calendars)
  const payload = {
    starts_at: startsAt,
    expected_starts_at: row.starts_at.toISOString(),
    outside_hours: true,
  }
  const moved = await asOwner(calendar, 'POST', `/appointments/${row.id}/move`, payload)
  expect(moved.statusCode === 200, moved.body).toBe(isFree)
  return isFree
}

/** Carries out an action. Restoring must succeed exactly if the time is free. */
async function act(
  calendars: readonly OneOfThem[],
  calendar: OneOfThem,
  action: 'cancel' | 'restore',
  pick: number,
): Promise<boolean> {
  const taken = await listTaken(calendars)
  const status = action === 'restore' ? 'cancelled' : 'confirmed'
  const rows = taken.filter((row) => row.calendar_id === calendar.id && row.status === status)
  const row = rows[pick % Math.max(1, rows.length)]
  if (row === undefined) return false
  const isFree = isFreeAt(calendar, occupiedBy(row), taken.filter(takesTime), calendars)
  const acted = await sendAppointmentAction({ meridian, owner, calendar }, row.id, { action })
  expect(acted.statusCode === 200, acted.body).toBe(action === 'cancel' || isFree)
  return acted.statusCode === 200
}

let customers = 0
function anybody() {
  customers += 1
  return { name: `Customer ${customers}`, email: `customer-${customers}@example.com` }
}

/** Expects that exactly the times which the appointments leave free are offered. */
async function expectExact(calendars: readonly OneOfThem[], date: string): Promise<void> {
  const taken = (await listTaken(calendars)).filter(takesTime)
  for (const calendar of calendars) {
    const free = calendar.all.filter((startMs) =>
      isFreeAt(calendar, toOccupied(startMs, calendar.duration, calendar.work), taken, calendars),
    )
    expect(await listOffered(calendar, date)).toEqual(free)
  }
}

function toOccupied(startMs: number, durationMinutes: number, work: OwnersWork): Interval {
  return toOccupiedTime({ startMs, endMs: startMs + durationMinutes * MINUTE_MS }, work)
}

function workOf({ prepare_minutes, wrap_up_minutes }: Taken): OwnersWork {
  return { prepareMinutes: prepare_minutes, wrapUpMinutes: wrap_up_minutes }
}

function occupiedBy(row: Taken): Interval {
  return toOccupiedTime({ startMs: row.starts_at.getTime(), endMs: row.ends_at.getTime() }, workOf(row))
}

/** Each appointment, with its preparation and wrap-up, keeps the larger of the two buffers free on both sides. */
function isFreeAt(
  calendar: OneOfThem,
  time: Interval,
  taken: readonly Taken[],
  calendars: readonly OneOfThem[],
): boolean {
  return taken.every((row) => {
    const of = calendars.find(({ id }) => id === row.calendar_id)
    const gapMs = Math.max(calendar.bufferMinutes, of?.bufferMinutes ?? 0) * MINUTE_MS
    const other = occupiedBy(row)
    return time.startMs >= other.endMs + gapMs || time.endMs + gapMs <= other.startMs
  })
}

function takesTime({ status, released_at }: Taken): boolean {
  return status !== 'cancelled' && released_at === null
}

async function listTaken(calendars: readonly OneOfThem[]): Promise<Taken[]> {
  const { rows } = await meridian.database.execute(
    `select id, calendar_id, starts_at, ends_at, prepare_minutes, wrap_up_minutes, status, released_at from appointments
     where calendar_id = any ($1::uuid[]) order by booking_reference`,
    [calendars.map(({ id }) => id)],
  )
  return rows as Taken[] // These are the types of the columns.
}

/** Lists the slots that customers are offered on the date and the next day. */
async function listOffered(
  { slug, typeId }: Pick<OneOfThem, 'slug' | 'typeId'>,
  date: string,
): Promise<number[]> {
  const starts: number[] = []
  for (const day of [date, addDays(date, 1)]) {
    const url = `/api/public/calendars/${slug}/slots`
    const answer = await meridian.request({ url, query: { date: day, appointment_type_id: typeId } })
    expect(answer.statusCode, answer.body).toBe(200)
    starts.push(...answer.json<SlotsResponse>().slots.map(({ starts_at }) => Date.parse(starts_at)))
  }
  return starts
}

function asOwner({ id }: Calendar, method: 'POST' | 'PATCH', path: string, payload: object) {
  return meridian.request({ method, url: `/api/calendars/${id}${path}`, cookie: owner.cookie, payload })
}
