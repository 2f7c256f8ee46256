import { expect, test } from 'vitest'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { addManyAppointments } from '#tests/support/many-appointments.ts'
import { makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import type { BookingsDeps } from './deps.ts'
import { queueClosedCalendarNotices } from './use-cases.ts'

setUpMeridian()

test('everybody who is booked on a closed calendar is told once, the nearest first, 500 at a time', async () => {
  const { db } = meridian.database
  const { id } = await makeCalendar(meridian, await makeOwner(meridian))
  await addManyAppointments(meridian.database, id, 900)
  const batches: string[][] = []
  const insert: BookingsDeps['jobs']['insert'] = async (_trx, _job, payloads) => {
    batches.push(payloads.map((payload) => JSON.parse(JSON.stringify(payload)).facts.bookingReference))
  }
  const now = () => Date.parse('2027-01-04T00:00:00Z')
  await db.transaction().execute((trx) =>
    queueClosedCalendarNotices(
      {
        db,
        now,
        defaultTier: 'free',
        jobs: { ...meridian.deps.jobs, insert },
        log: { error: () => {}, warn: () => {} },
        baseUrl: 'https://meridian.example',
        manageLinks: meridian.deps.manageLinks,
      },
      trx,
      id,
    ),
  )
  const { rows } = await meridian.database.execute(
    'select booking_reference from appointments where calendar_id = $1 and starts_at > $2 order by starts_at',
    [id, new Date(now())],
  )
  expect(rows.length).toBeGreaterThan(500)
  expect(batches.flat()).toEqual(rows.map((row) => row.booking_reference))
  expect(batches.map((batch) => batch.length)).toEqual([500, rows.length - 500])
})
