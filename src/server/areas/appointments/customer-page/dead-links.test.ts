import { describe, expect, test } from 'vitest'
import type { ProblemCode } from '#contract/shared/problem.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { bookAppointment } from '#tests/support/meridian.ts'

/** Expired links in emails must neither show nor change anything. */

setUpCalendar({ env: { DEFAULT_PLAN: 'enterprise' } })

const NINE = '2027-01-08T09:00:00.000Z'
const TEN = '2027-01-08T10:00:00.000Z'

/** Every request that the page of an appointment makes. */
const REQUESTS = [
  { method: 'GET', path: '' },
  { method: 'GET', path: '/move' },
  { method: 'GET', path: '/slots?date=2027-01-08' },
  { method: 'GET', path: '/days?from=2027-01-08&to=2027-01-09' },
  { method: 'POST', path: '/move', payload: { starts_at: TEN, expected_starts_at: NINE } },
  { method: 'POST', path: '/cancel', payload: { way: 'by_request', refund_amount: null } },
  { method: 'PATCH', path: '', payload: { phone: '+44 20 7946 0000' } },
  { method: 'GET', path: '/appointment.ics' },
  { method: 'POST', path: '/code' },
  { method: 'POST', path: '/session', payload: { code: '123456' } },
  { method: 'GET', path: '/appointments' },
  { method: 'GET', path: '/record' },
  { method: 'DELETE', path: '/record' },
] as const

describe.each<{ what: string; refusal: ProblemCode; spoil: (booked: Booked) => Promise<string> | string }>([
  {
    what: 'of an appointment whose customer was erased',
    refusal: 'manage.erased',
    spoil: async ({ id, token }) => {
      await setStatus(id, 'cancelled')
      const [row] = (
        await meridian.database.execute('select customer_id from appointments where id = $1', [id])
      ).rows
      const url = `/api/calendars/${calendar.id}/customers/${row?.customer_id}/record`
      const erased = await owner.delete(url)
      expect(erased.statusCode, erased.body).toBe(204)
      return token
    },
  },
  {
    what: 'that was replaced since, because the address of the customer changed',
    refusal: 'manage.replaced',
    spoil: async ({ id, token }) => {
      await meridian.database.execute('update appointments set link_rotation = 1 where id = $1', [id])
      return token
    },
  },
  {
    what: 'of an appointment of more than 90 days ago',
    refusal: 'manage.ended',
    spoil: ({ token }) => {
      meridian.clock.ms = Date.parse(NINE) + 91 * DAY_MS
      return token
    },
  },
  {
    what: 'of a hold that was given back',
    refusal: 'manage.given_back',
    spoil: async () => {
      const { database } = meridian
      const confirming = 'update calendars set email_confirmation_required = true where id = $1'
      await database.execute(confirming, [calendar.id])
      const held = await bookSomething('2027-01-08T12:00:00Z')
      await database.execute('update appointments set released_at = now() where id = $1', [held.id])
      return held.token
    },
  },
  { what: 'that was cut off', refusal: 'manage.not_found', spoil: ({ token }) => token.slice(0, -1) },
  { what: 'that was guessed', refusal: 'manage.not_found', spoil: ({ token }) => 'A'.repeat(token.length) },
  {
    what: 'with the signature of another appointment',
    refusal: 'manage.not_found',
    spoil: async ({ token }) => {
      const other = await bookSomething('2027-01-08T12:00:00Z')
      return token.slice(0, 24) + other.token.slice(24)
    },
  },
])('a link $what', ({ refusal, spoil }) => {
  test('opens nothing and changes nothing', async () => {
    const booked = await bookSomething(NINE)
    const token = await spoil(booked)
    const before = await readRow(booked.id)
    for (const { path, ...request } of REQUESTS) {
      const answered = await meridian.request({ ...request, url: `/api/public/manage/${token}${path}` })
      expectRefusal(answered, refusal)
      expect(answered.body).not.toMatch(/Hopper|grace/i)
    }
    expect(await readRow(booked.id)).toEqual(before)
  })
})

test('the link of a cancelled appointment shows that, and neither moves nor cancels it', async () => {
  const { id, token } = await bookSomething(NINE)
  await setStatus(id, 'cancelled')
  const url = `/api/public/manage/${token}`
  expect((await meridian.get(url)).json().standing).toBe('cancelled')
  expect((await meridian.get(`${url}/move`)).json().obstacle).toBe('state')
  const before = await readRow(id)
  const payload = { starts_at: TEN, expected_starts_at: NINE }
  const moved = await meridian.post(`${url}/move`, payload)
  expectRefusal(moved, 'appointment.move_state')
  const again = { way: 'by_request', refund_amount: null }
  const cancelled = await meridian.post(`${url}/cancel`, again)
  expect(cancelled.json().standing).toBe('cancelled')
  expect(await readRow(id)).toEqual(before)
})

type Booked = { readonly id: string; readonly token: string }

async function bookSomething(starts_at: string): Promise<Booked> {
  const booked = await bookAppointment(meridian, calendar.slug, { starts_at })
  expect(booked.statusCode, booked.body).toBe(201)
  const { id, manage_token: token } = booked.json()
  return { id, token }
}

async function setStatus(id: string, status: string): Promise<void> {
  await meridian.database.execute('update appointments set status = $2 where id = $1', [id, status])
}

async function readRow(id: string): Promise<Record<string, unknown> | undefined> {
  return (await meridian.database.execute('select * from appointments where id = $1', [id])).rows[0]
}
