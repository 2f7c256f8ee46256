import { describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import { DEFAULT_POLICY, POLICY_LIMITS } from '#core/appointments/policy.ts'
import { makeFakeProviders, makePaidCalendar, startCheckout } from '#tests/support/checkouts.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { bookAppointment, makeBookingBody, makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { HALF_REFUND_POLICY, manageTokenOf, savePolicy } from '#tests/support/policies.ts'
import { addAppointment } from '#tests/support/stored-rows.ts'

setUpOwner({ providers: makeFakeProviders(), env: { DEFAULT_PLAN: 'enterprise' } })

const row = (hours: number, percent: number) => ({ hours, percent })
const withRefunds = (...refunds: object[]) => ({ ...DEFAULT_POLICY, refunds })

describe('a policy', () => {
  test.each([
    ['without refunds', withRefunds()],
    ['that gives nothing back', withRefunds(row(24, 0))],
    ['that gives all back until the start', withRefunds(row(0, 100))],
    ['with the longest deadline', withRefunds(row(POLICY_LIMITS.hours, 100), row(0, 1))],
    ['with as many rows as there may be', withRefunds(row(5, 5), row(4, 4), row(3, 3), row(2, 2), row(1, 1))],
    ['that allows one move', { ...DEFAULT_POLICY, moving: { kind: 'until', hours: 0, times: 1 } }],
    ['that allows no move', { ...DEFAULT_POLICY, moving: { kind: 'never' } }],
    ['of which customers cancel alone', HALF_REFUND_POLICY],
  ])('%s is saved as it is', async (_what, policy) => {
    const calendar = await makeCalendar(meridian, owner)
    const answer = await savePolicy(meridian, owner, calendar, policy)
    expect(answer.statusCode, answer.body).toBe(200)
    expect(answer.json().policy).toEqual(policy)
  })

  test.each([
    ['rows in rising order', withRefunds(row(24, 50), row(48, 40)), 'refunds'],
    ['a share that rises', withRefunds(row(48, 50), row(24, 60)), 'refunds'],
    ['two rows of one hour', withRefunds(row(24, 50), row(24, 40)), 'refunds'],
    ['two rows of one share', withRefunds(row(48, 50), row(24, 50)), 'refunds'],
    ['six rows', withRefunds(...[6, 5, 4, 3, 2, 1].map((n) => row(n, n))), 'refunds'],
    ['more than all of the money', withRefunds(row(24, 101)), 'refunds.0.percent'],
    ['less than nothing', withRefunds(row(24, -1)), 'refunds.0.percent'],
    ['a part of a percent', withRefunds(row(24, 33.3)), 'refunds.0.percent'],
    ['more than a year', withRefunds(row(POLICY_LIMITS.hours + 1, 50)), 'refunds.0.hours'],
    ['hours after the start', withRefunds(row(-1, 50)), 'refunds.0.hours'],
    ['no moves', { ...DEFAULT_POLICY, moving: { kind: 'until', hours: 1, times: 0 } }, 'moving.times'],
    ['another kind', { ...DEFAULT_POLICY, moving: { kind: 'sometimes' } }, 'moving.kind'],
    [
      'no word about later',
      { ...DEFAULT_POLICY, cancelling: { kind: 'alone', hours: 1 } },
      'cancelling.after',
    ],
  ])('with %s is refused where it is wrong', async (_what, policy, path) => {
    const calendar = await makeCalendar(meridian, owner)
    const answer = await savePolicy(meridian, owner, calendar, policy)
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'request.invalid'])
    expect(answer.json().errors.map((error: { path: string }) => error.path)).toContain(`policy.${path}`)
  })

  test('that another window has changed meanwhile is not overwritten unseen', async () => {
    const calendar = await makeCalendar(meridian, owner)
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const answer = await owner.patch(`/api/calendars/${calendar.id}`, {
      policy: DEFAULT_POLICY,
      was: { policy: DEFAULT_POLICY },
    })
    expect(answer.json()).toMatchObject({ code: 'request.changed_meanwhile', errors: [{ path: 'policy' }] })
  })

  test.each([
    ['a table that does not fall', withRefunds(row(24, 50), row(48, 40))],
    ['a row without a share', withRefunds({ hours: 24 })],
    ['hours without bounds', withRefunds(row(99_999, 50))],
    ['no terms of cancelling', { moving: { kind: 'never' }, refunds: [] }],
    ['a list', []],
  ])('with %s is refused by the database itself', async (_what, policy) => {
    const calendar = await makeCalendar(meridian, owner)
    const statement = 'update calendars set policy = $2 where id = $1'
    await expect(
      meridian.database.execute(statement, [calendar.id, JSON.stringify(policy)]),
    ).rejects.toMatchObject({ constraint: 'calendars_policy' })
  })
})

describe('a booking keeps the policy', () => {
  test('of its calendar, whoever books', async () => {
    const calendar = await makePaidCalendar(meridian, owner)
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const type = { appointment_type_id: calendar.typeId }
    // Before all deadlines.
    const booked = (
      await bookAppointment(meridian, calendar.slug, { ...type, starts_at: '2027-01-11T09:00:00Z' })
    ).json()
    const atCheckout = await startCheckout(meridian, calendar, { starts_at: '2027-01-11T11:00:00Z' })
    const byOwner = await bookAsOwner(calendar, { ...type, starts_at: '2027-01-11T13:00:00Z' })
    const text = describePolicy(HALF_REFUND_POLICY, { hasPrice: true })
    for (const id of [booked.id, atCheckout.id, byOwner.id]) {
      expect(await storedPolicy(id)).toEqual({ policy: HALF_REFUND_POLICY, policy_text: text })
    }
    expect(booked.policy_text).toBe(text)
  })

  test('of its type, where that differs', async () => {
    const calendar = await makePaidCalendar(meridian, owner)
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const answer = await owner.patch(`/api/calendars/${calendar.id}/appointment-types/${calendar.typeId}`, {
      policy: DEFAULT_POLICY,
    })
    expect(answer.json().policy).toEqual(DEFAULT_POLICY)
    const text = describePolicy(DEFAULT_POLICY, { hasPrice: true })
    const [shown] = (await meridian.get(`/api/public/calendars/${calendar.slug}/appointment-types`)).json()
      .appointment_types
    expect(shown.policy_text).toBe(text)
    const { id } = (
      await bookAppointment(meridian, calendar.slug, { appointment_type_id: calendar.typeId })
    ).json()
    expect(await storedPolicy(id)).toEqual({ policy: DEFAULT_POLICY, policy_text: text })
  })

  test('that its customer has read: under another one nothing is booked, and no checkout begins', async () => {
    const calendar = await makePaidCalendar(meridian, owner)
    const body = {
      appointment_type_id: calendar.typeId,
      policy_text: describePolicy(DEFAULT_POLICY, { hasPrice: true }),
    }
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const refused = await bookAppointment(meridian, calendar.slug, body)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'booking.policy_changed'])
    const checkout = await meridian.post(
      `/api/public/calendars/${calendar.slug}/checkouts`,
      makeBookingBody({ ...body, provider: 'stripe' }),
    )
    expect([checkout.statusCode, checkout.json().code]).toEqual([409, 'booking.policy_changed'])
    const asRead = { ...body, policy_text: describePolicy(HALF_REFUND_POLICY, { hasPrice: true }) }
    expect((await bookAppointment(meridian, calendar.slug, asRead)).statusCode).toBe(201)
  })

  test('of a calendar without types as well, when its customer has read it', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const { policy_text } = (await meridian.get(`/api/public/calendars/${calendar.slug}`)).json()
    expect((await bookAppointment(meridian, calendar.slug, { policy_text })).statusCode).toBe(201)
  })

  test('in its emails', async () => {
    const calendar = await makeCalendar(meridian, owner)
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const starts_at = '2027-01-11T09:00:00Z'
    const { id, booking_reference } = (await bookAppointment(meridian, calendar.slug, { starts_at })).json()
    const mail = await meridian.waitForMail(
      ({ subject, text }) => subject.startsWith('Booking confirmed') && text.includes(booking_reference),
    )
    expect(mail.text).toContain('You can cancel it until 24 hours before it starts.')
    expect((await storedPolicy(id)).policy_text).not.toContain('back')
  })

  test('and one from before there were policies is cancelled by request only, and promises nothing', async () => {
    const calendar = await makeCalendar(meridian, owner)
    await savePolicy(meridian, owner, calendar, HALF_REFUND_POLICY)
    const id = await addAppointment(meridian, calendar.id, {
      startsAt: '2027-03-01T10:00:00Z',
      payment_status: 'paid',
      price_cents: 4_000,
    })
    const view = await meridian.get(`/api/public/manage/${manageTokenOf(meridian, id)}`)
    expect(view.json()).toMatchObject({
      appointment: { policy_text: null },
      cancellation: { way: 'by_request', until: null, refund: null },
    })
  })
})

describe('a no-show', () => {
  test('is marked after the start, taken back, and is in the history', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const past = await addAppointment(meridian, calendar.id, { startsAt: '2027-01-04T07:00:00Z' })
    const ahead = await addAppointment(meridian, calendar.id, { startsAt: '2027-01-04T09:00:00Z' })
    expect((await mark(calendar, ahead, true)).json().code).toBe('appointment.no_show_not_now')
    expect((await mark(calendar, past, true)).json()).toEqual({ id: past, no_show: true })
    expect((await mark(calendar, past, true)).statusCode).toBe(200)
    expect((await mark(calendar, past, false)).json()).toEqual({ id: past, no_show: false })
    const history = await owner.get(`/api/calendars/${calendar.id}/appointments/${past}/history`)
    expect(
      history
        .json()
        .entries.map(({ kind }: { kind: string }) => kind)
        .sort(),
    ).toEqual(['no_show', 'no_show_undone'])
    const stranger = await makeOwner(meridian)
    expect((await mark(calendar, past, true, stranger)).json().code).toBe('calendar.forbidden')
  })
})

function mark(calendar: Calendar, id: string, no_show: boolean, by = owner) {
  return meridian.as(by).put(`/api/calendars/${calendar.id}/appointments/${id}/no-show`, { no_show })
}

async function bookAsOwner(calendar: Calendar, body: Record<string, unknown>) {
  const answer = await owner.post(`/api/calendars/${calendar.id}/appointments`, makeBookingBody(body))
  expect(answer.statusCode, answer.body).toBe(201)
  return answer.json()
}

function storedPolicy(id: string) {
  return meridian.database.db
    .selectFrom('appointments')
    .select(['policy', 'policy_text'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}
