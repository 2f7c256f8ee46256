import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMeridian, type TestMeridian } from '#tests/support/meridian.ts'
import { DEMO_SLUG, seedWhenEmpty } from '#tools/seed.ts'
import { DEMO_LOGIN } from './demo-account.ts'

let meridian: TestMeridian

beforeAll(async () => {
  meridian = await startMeridian()
  await seedWhenEmpty(meridian.deps)
})
afterAll(() => meridian.stop())

test('an empty database is filled with a practice that can be booked', async () => {
  const { statusCode, body } = await meridian.request({ url: `/api/public/calendars/${DEMO_SLUG}` })
  expect(statusCode, body).toBe(200)
})

test('its owner can log in, and has appointments that are over and others to come', async () => {
  const signedIn = await meridian.request({ method: 'POST', url: '/api/auth/sign-in', payload: DEMO_LOGIN })
  expect(signedIn.statusCode, signedIn.body).toBe(200)
  const rows = await meridian.database.db
    .selectFrom('appointments')
    .select(['starts_at', 'title', 'payment_status', 'location_name'])
    .orderBy('starts_at')
    .execute()
  const isOver = rows.map(({ starts_at }) => starts_at.getTime() < meridian.clock.ms)
  expect(isOver).toEqual([true, true, true, false, false, false, false, false])
  expect(rows[0]).toMatchObject({
    title: 'Individual session',
    payment_status: 'pending',
    location_name: 'Riverside Practice',
  })
})

test('nobody is mailed, and what is there already stays alone', async () => {
  await seedWhenEmpty(meridian.deps)
  const { db } = meridian.database
  expect(await db.selectFrom('calendars').select('slug').execute()).toEqual([{ slug: DEMO_SLUG }])
  expect(await db.selectFrom('appointment_messages').select('id').execute()).toEqual([])
})
