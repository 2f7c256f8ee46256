import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  type TestMeridian,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { type BlockingSession, openBlockingSession } from '#tests/support/other-session.ts'
import { createDatabase } from '#tests/support/postgres-server.ts'
import {
  countDeadlocks,
  printDuration,
  queryNumber,
  queryRows,
  startOnPostgresServer,
} from '#tests/support/race-track.ts'

const SLOT_GONE = PROBLEMS['booking.slot_unavailable'].title
const PLACE_TAKEN = PROBLEMS['booking.location_conflict'].title
const DAY_MS = 86_400_000
const HALF_HOUR_MS = 1_800_000

let meridian: TestMeridian
let owners: TestOwner[]
let other: BlockingSession

beforeAll(async () => {
  const url = await createDatabase(inject('postgresUrl'))
  meridian = await startOnPostgresServer({ url, poolSize: 20 })
  other = await openBlockingSession(url)
  owners = [
    await makeOwner(meridian, { tier: 'business' }),
    await makeOwner(meridian, { tier: 'business' }),
    await makeOwner(meridian, { tier: 'business' }),
    await makeOwner(meridian, { tier: 'business' }),
  ]
})
afterAll(async () => {
  await other.end()
  await meridian.stop()
})

describe('an exclusive place that 8 calendars of 4 owners share', () => {
  test('is given to one of 40 simultaneous bookings of a time, and the other calendars are told why', async () => {
    const calendars = await makeCalendars(2)
    const placeId = await makePlace(owners[0])
    for (const calendar of calendars) await makePrimary(calendar, placeId)

    for (const hour of ['09', '10', '11', '12', '13']) {
      const startMs = performance.now()
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => {
          const { slug } = calendars[i % calendars.length] as Calendar // the index is below the length
          return bookAppointment(meridian, slug, {
            starts_at: `2027-01-04T${hour}:00:00Z`,
            customer: { name: `Runner ${i}`, email: `runner-${i}@example.com` },
          })
        }),
      )
      printDuration('40 bookings of one place over 8 calendars', performance.now() - startMs)

      const sentences = answers.map((answer) => (answer.statusCode === 201 ? 'booked' : answer.json().title))
      // On the winner's own calendar, the time itself is already gone.
      expect(count(sentences)).toEqual({ booked: 1, [SLOT_GONE]: 4, [PLACE_TAKEN]: 35 })
    }
    const kept = 'select count(*) from appointments where conflict_location_id = $1'
    expect(await queryNumber(meridian.database, kept, [placeId])).toBe(5)
    expect(await countDeadlocks(meridian.database)).toBe(0)
  })

  test('is waited for by a booking while somebody else is taking it', async () => {
    const calendar = await makeCalendar(meridian, owners[0] as TestOwner) // there are four owners
    const placeId = await makePlace(owners[0])
    await makePrimary(calendar, placeId)
    // Without the advisory lock, the booking would only reach the constraint, where two transactions that wait for each other
    // deadlock.
    const take = 'select pg_advisory_xact_lock(hashtextextended($1, 0))'
    const { answer, waitedFor } = await other.hold([[take, [placeId]]], () =>
      bookAppointment(meridian, calendar.slug),
    )
    expect(waitedFor).toBe('advisory')
    expect(answer.statusCode).toBe(201)
  })

  test('never holds two appointments at a time, whatever 8 calendars with 2 places and buffers are asked for', async () => {
    const calendars = await makeCalendars(2)
    const places = [await makePlace(owners[0]), await makePlace(owners[1])]
    for (const [i, calendar] of calendars.entries()) {
      await makePrimary(calendar, places[i % 2] as string) // there are two locations
      await setBuffer(calendar, (i % 3) * 10)
    }
    const monday = Date.parse('2027-01-11T09:00:00Z')
    const wishes = Array.from({ length: 120 }, (_, i) => ({
      calendar: calendars[(i * 5) % calendars.length] as Calendar, // the index is below the length
      // Spread over two mornings, so that every time is requested more than once on every calendar.
      startsAt: new Date(monday + (i % 2) * DAY_MS + ((i * 7) % 6) * HALF_HOUR_MS).toISOString(),
    }))
    const answers = await Promise.all(
      wishes.map(({ calendar, startsAt }, i) =>
        bookAppointment(meridian, calendar.slug, {
          starts_at: startsAt,
          customer: { name: `Guest ${i}`, email: `guest-${i}@example.com` },
        }),
      ),
    )

    const booked = answers.filter((answer) => answer.statusCode === 201)
    const refused = answers.filter((answer) => answer.statusCode !== 201)
    expect(booked.length).toBeGreaterThan(places.length)
    expect(new Set(refused.map((answer) => answer.json().title))).toEqual(new Set([SLOT_GONE, PLACE_TAKEN]))

    const ids = calendars.map((calendar) => calendar.id)
    const rows = await queryRows(
      meridian.database,
      'select id from appointments where calendar_id = any($1::uuid[]) order by id',
      [ids],
    )
    expect(rows.map((row) => row.id)).toEqual(booked.map((answer) => answer.json().id).sort())
    expect(await countOverlaps()).toBe(0)
  })
})

/** Counts pairs of appointments that block the same time on a calendar (buffers included) or at a location. */
function countOverlaps(): Promise<number> {
  return queryNumber(
    meridian.database,
    `select count(*) from appointments a join appointments b on a.id < b.id
     where (a.calendar_id = b.calendar_id and a.blocked && b.blocked)
        or (a.conflict_location_id = b.conflict_location_id
            and tstzrange(a.starts_at, a.ends_at) && tstzrange(b.starts_at, b.ends_at))`,
  )
}

async function makeCalendars(perOwner: number): Promise<Calendar[]> {
  const made: Calendar[] = []
  for (const owner of owners) {
    for (let i = 0; i < perOwner; i += 1) made.push(await makeCalendar(meridian, owner))
  }
  return made
}

async function makePlace(owner: TestOwner | undefined): Promise<string> {
  const id = randomUUID()
  await meridian.database.execute(
    `insert into locations (id, user_id, name, address, shareable) values ($1, $2, 'Shared room', 'Main Street 1', true)`,
    [id, owner?.id],
  )
  return id
}

async function makePrimary(calendar: Calendar, placeId: string): Promise<void> {
  await meridian.database.execute(
    'insert into calendar_locations (calendar_id, id, location_id, is_primary) values ($1, $2, $3, true)',
    [calendar.id, randomUUID(), placeId],
  )
}

async function setBuffer(calendar: Calendar, bufferMinutes: number): Promise<void> {
  await meridian.database.execute('update calendars set buffer_time_minutes = $2 where id = $1', [
    calendar.id,
    bufferMinutes,
  ])
}

function count(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}
