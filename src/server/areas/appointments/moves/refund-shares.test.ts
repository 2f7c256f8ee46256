import { describe, expect, test } from 'vitest'
import type { Policy } from '#core/appointments/policy.ts'
import { calendar, meridian, owner, setUpCalendar } from '#tests/support/fixtures.ts'
import { manageTokenOf } from '#tests/support/policies.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'
import { moveAppointment } from './use-cases.ts'

/** A start thirty hours after the time of the test clock. */
const TOMORROW = '2027-01-05T14:00:00.000Z'
const NEXT_MONTH = '2027-02-05T14:00:00.000Z'
const LATER_STILL = '2027-02-08T14:00:00.000Z'
/** A policy with a full refund until 48 hours before the start. */
const POLICY: Policy = {
  moving: { kind: 'until', hours: 0, times: null },
  cancelling: { kind: 'alone', hours: 0, after: 'never' },
  refunds: [{ hours: 48, percent: 100 }],
}

setUpCalendar({ undoSeconds: 30, hasWorkers: false, env: { DEFAULT_PLAN: 'enterprise' } })

describe('what goes back after a move (rule Q8)', () => {
  test('is no more than before when its customer moved it far ahead, for everybody who reads it', async () => {
    const id = await addPaid(TOMORROW)
    expect(await readRefund(id)).toEqual({ percent: 0, amount: 0 })
    await moveByCustomer(id, TOMORROW, NEXT_MONTH)
    expect(await readRefund(id)).toEqual({ percent: 0, amount: 0 })
    expect(await readRow(id)).toMatchObject({ refund_shares: { most: 0, least: null } })
    expect(await readEffect()).toMatchObject([{ id, paid: 40, refund_by_policy: 0 }])
    const more = await cancelAlone(id, 40)
    expect(more.json()).toMatchObject({ code: 'cancellation.terms_changed' })
    expect((await cancelAlone(id, 0)).json()).toMatchObject({ cancellation: { given_back: 0 } })
  })

  test('is no less than before when the owner moved it to tomorrow, here or in an external calendar', async () => {
    const [here, there] = [await addPaid(NEXT_MONTH), await addPaid('2027-02-05T15:00:00.000Z')]
    await moveByOwner(here, NEXT_MONTH, TOMORROW)
    await moveAppointment(
      { ...meridian.deps, undoSeconds: 30 },
      {
        key: { calendarId: calendar.id, id: there },
        startMs: Date.parse('2027-01-05T15:00:00.000Z'),
        endMs: null,
        expectedStartMs: Date.parse('2027-02-05T15:00:00.000Z'),
        causedBy: 'external_calendar',
        anyway: true,
        notifyCustomer: true,
      },
    )
    for (const id of [here, there]) {
      expect(await readRefund(id)).toEqual({ percent: 100, amount: 40 })
      expect(await readRow(id)).toMatchObject({ refund_shares: { most: null, least: 100 } })
    }
    const payload = { action: 'cancel', was: { status: 'confirmed', payment_status: 'paid' } }
    const less = await asOwner('POST', `/appointments/${there}/actions`, { ...payload, refund_amount: 20 })
    expect(less.json()).toMatchObject({ code: 'appointment.refund_too_small' })
    expect((await cancelAlone(here, 40)).json()).toMatchObject({ cancellation: { given_back: 40 } })
  })

  test('is what it was before a move that was taken back, and counts two moves in a row as one', async () => {
    const id = await addPaid(TOMORROW)
    await moveByCustomer(id, TOMORROW, NEXT_MONTH)
    await moveByCustomer(id, NEXT_MONTH, TOMORROW)
    expect(await readRow(id)).toMatchObject({ refund_shares: { most: null, least: null } })
    // The customer moves by mistake to a start without a refund, and then to the intended time.
    const early = await addPaid(NEXT_MONTH)
    await moveByCustomer(early, NEXT_MONTH, '2027-01-05T10:00:00.000Z')
    await moveByCustomer(early, '2027-01-05T10:00:00.000Z', LATER_STILL)
    expect(await readRefund(early)).toEqual({ percent: 100, amount: 40 })
  })

  test('is not less for a customer whom the owner asked to choose another time', async () => {
    const id = await addPaid('2027-01-07T14:00:00.000Z')
    const change = `insert into many_changes (calendar_id, id, kind, first_date, last_date, message, refund, created_at)
      values ($1, gen_random_uuid(), 'offer', '2027-01-07', '2027-01-07', '', 'all', now()) returning id`
    const { rows } = await meridian.database.execute(change, [calendar.id])
    const item = `insert into many_change_items (calendar_id, change_id, appointment_id, starts_at, state, offered)
      values ($1, $2, $3, '2027-01-07T14:00:00Z', 'done', '[]')`
    await meridian.database.execute(item, [calendar.id, rows[0]?.id, id])
    await moveByCustomer(id, '2027-01-07T14:00:00.000Z', TOMORROW)
    expect(await readRefund(id)).toEqual({ percent: 100, amount: 40 })
    meridian.clock.ms += 60_000
    await meridian.database.execute(`update appointment_messages set undo = null where appointment_id = $1`, [
      id,
    ])
    await moveByCustomer(id, TOMORROW, NEXT_MONTH)
    expect(await readRow(id)).toMatchObject({ refund_shares: { most: 100, least: 100 } })
  })
})

/** Adds a confirmed, paid appointment with a price of 40. */
function addPaid(startsAt: string): Promise<string> {
  return addAppointment(meridian, calendar.id, {
    startsAt,
    price_cents: 4_000,
    payment_status: 'paid',
    policy: JSON.stringify(POLICY),
    policy_text: 'All of it until 48 hours before.',
  })
}

async function moveByCustomer(id: string, from: string, to: string): Promise<void> {
  const url = `/api/public/manage/${manageTokenOf(meridian, id)}/move`
  const payload = { starts_at: to, expected_starts_at: from }
  const answer = await meridian.post(url, payload)
  expect(answer.statusCode, answer.body).toBe(200)
}

async function moveByOwner(id: string, from: string, to: string): Promise<void> {
  const payload = { starts_at: to, expected_starts_at: from, outside_hours: true }
  const answer = await asOwner('POST', `/appointments/${id}/move`, payload)
  expect(answer.statusCode, answer.body).toBe(200)
}

function asOwner(method: 'GET' | 'POST', path: string, payload?: object) {
  const url = `/api/calendars/${calendar.id}${path}`
  return meridian.request({ method, url, cookie: owner.cookie, ...(payload && { payload }) })
}

function cancelAlone(id: string, refund_amount: number) {
  return meridian.post(`/api/public/manage/${manageTokenOf(meridian, id)}/cancel`, {
    way: 'alone',
    refund_amount,
  })
}

/** Returns the refund that the customer's page shows for a cancellation. */
async function readRefund(id: string): Promise<unknown> {
  const page = await meridian.get(`/api/public/manage/${manageTokenOf(meridian, id)}`)
  return page.json().cancellation.refund
}

async function readEffect(): Promise<unknown> {
  const { appointments } = (await asOwner('GET', '/many-changes/effect?from=2027-02-01&to=2027-02-28')).json()
  return appointments
}

/** Returns the appointment's row in the owner's list. */
async function readRow(id: string): Promise<unknown> {
  const { appointments } = (await asOwner('GET', '/appointments?from=2027-01-01&to=2027-03-01')).json()
  return appointments.find((row: { id: string }) => row.id === id)
}
