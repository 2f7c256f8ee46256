import { describe, expect, test } from 'vitest'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import {
  makeFakeProviders,
  makePaidCalendar,
  readAppointmentAndPayment,
  settlePayment,
  startCheckout,
  startFirstCheckout,
} from '#tests/support/checkouts.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { FAKE_PRICE_IDS, makeFakeBilling } from '#tests/support/fake-billing-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
  type TestOwner,
} from '#tests/support/meridian.ts'
import { buyPlan, getStoredPlan, refreshPlan } from '#tests/support/plan-owner.ts'
import { addAppointments } from '#tests/support/stored-rows.ts'
import { applyStoredPlans } from './apply-stored-plan.ts'

const providers = makeFakeProviders()

const billing = makeFakeBilling(() => meridian.clock.ms)
setUpMeridian({ billing, providers })

const plans = () => ({ meridian, billing })

/** Creates an owner on Business with `count` calendars. The n-th calendar has n future appointments. */
async function makePractice(count: number) {
  const owner = await makeOwner(meridian)
  const subscriptionId = await buyPlan(plans(), owner, 'business')
  const calendars: Calendar[] = []
  for (let i = 0; i < count; i += 1) {
    const calendar = await makeCalendar(meridian, owner)
    calendars.push(calendar)
    if (i === 0) continue
    await addAppointments(
      meridian,
      calendar.id,
      Array.from({ length: i }, (_, hour) => ({
        startsAt: `2027-01-05T${String(9 + hour).padStart(2, '0')}:00:00Z`,
      })),
    )
  }
  return { owner, subscriptionId, calendars, ids: calendars.map(({ id }) => id) }
}

async function endPlan(owner: TestOwner, subscriptionId: string) {
  billing.change(subscriptionId, { status: 'canceled', endedAt: new Date(meridian.clock.ms) })
  return refreshPlan(plans(), owner)
}

describe('on a plan that allows fewer calendars', () => {
  test('those with the most appointments to come stay open, and the others take no new bookings', async () => {
    const { owner, subscriptionId, calendars } = await makePractice(5)
    billing.change(subscriptionId, { priceId: FAKE_PRICE_IDS.professional })
    const plan = await refreshPlan(plans(), owner)
    expect(plan.paused_calendars.map(({ id }: Calendar) => id)).toEqual(
      calendars.slice(0, 2).map(({ id }) => id),
    )
    const paused = calendars[0]
    const open = calendars[4]
    if (paused === undefined || open === undefined) throw new Error('there are five')
    expect(await readPublic(paused.slug)).toMatchObject({ is_paused: true })
    expect(await readPublic(open.slug)).toMatchObject({ is_paused: false })
    expect((await listSlots(paused.slug)).slots).toEqual([])
    expect((await listSlots(open.slug)).slots.length).toBeGreaterThan(0)
    expect(await listDays(paused.slug)).toEqual([0, 0, 0])
    expectRefusal(await bookAppointment(meridian, paused.slug), 'calendar.paused')
    expect((await bookAppointment(meridian, open.slug)).statusCode).toBe(201)
  })

  test('the owner books, cancels and reads as before, and customers ask to cancel', async () => {
    const { owner, subscriptionId, calendars } = await makePractice(3)
    const [paused] = calendars
    if (paused === undefined) throw new Error('there are three')
    const booked = (await bookAppointment(meridian, paused.slug)).json()
    await endPlan(owner, subscriptionId)
    expect(await readPublic(paused.slug)).toMatchObject({ is_paused: true })
    const own = await owner.post(`/api/calendars/${paused.id}/appointments`, {
      starts_at: '2027-01-04T11:00:00Z',
      customer: { name: 'Mary Somerville' },
    })
    expect(own.statusCode, own.body).toBe(201)
    const asked = await meridian.post(`/api/public/appointments/${booked.id}/cancellation-request`)
    expect(asked.statusCode).toBe(200)
    const approved = await owner.post(`/api/calendars/${paused.id}/appointments/${booked.id}/actions`, {
      action: 'approve_cancellation',
    })
    expect(approved.statusCode, approved.body).toBe(200)
    const settings = await owner.get(`/api/calendars/${paused.id}`)
    expect(settings.statusCode).toBe(200)
  })

  test('a repeated request is answered as before, and a time that was held is paid', async () => {
    const owner = await makeOwner(meridian)
    const subscriptionId = await buyPlan(plans(), owner, 'professional')
    const calendar = await makePaidCalendar(meridian, owner)
    const other = await makeCalendar(meridian, owner)
    await addAppointments(meridian, other.id, [
      { startsAt: '2027-01-05T09:00:00Z' },
      { startsAt: '2027-01-05T10:00:00Z' },
      { startsAt: '2027-01-05T11:00:00Z' },
    ])
    const begun = await startCheckout(meridian, calendar)
    await endPlan(owner, subscriptionId)
    expect(await readPublic(calendar.slug)).toMatchObject({ is_paused: true })
    const later = { starts_at: '2027-01-04T10:00:00Z', customer: { name: 'Ada', email: 'ada@example.com' } }
    expectRefusal(await startFirstCheckout(meridian, calendar, later), 'calendar.paused')
    providers.stripe.pay(begun.checkoutId)
    await settlePayment(meridian, begun.id)
    expect((await readAppointmentAndPayment(meridian, begun.id)).state).toEqual([
      'confirmed',
      'paid',
      'completed',
    ])
    const refunded = await owner.post(`/api/calendars/${calendar.id}/appointments/${begun.id}/actions`, {
      action: 'cancel',
    })
    expect(refunded.statusCode, refunded.body).toBe(200)
  })

  test('a time that waits for its code is confirmed', async () => {
    const { owner, subscriptionId, calendars } = await makePractice(2)
    const [calendar] = calendars
    if (calendar === undefined) throw new Error('there are two')
    await owner.patch(`/api/calendars/${calendar.id}`, { email_confirmation_required: true })
    const held = (await bookAppointment(meridian, calendar.slug)).json()
    const mail = await meridian.waitForMail(
      ({ subject, text }) => text.includes(held.booking_reference) && / is your code /.test(subject),
    )
    await endPlan(owner, subscriptionId)
    expect(await readPublic(calendar.slug)).toMatchObject({ is_paused: true })
    const confirmed = await meridian.post(`/api/public/appointments/${held.id}/email-confirmation`, {
      code: mail.subject.slice(0, 6),
    })
    expect(confirmed.statusCode, confirmed.body).toBe(200)
    expect(confirmed.json()).toMatchObject({ status: 'confirmed' })
  })

  test('no further calendar is created, and one that is deleted makes room for the next', async () => {
    const { owner, subscriptionId, ids } = await makePractice(3)
    await endPlan(owner, subscriptionId)
    expect(await listOpen(owner)).toEqual([ids[2]])
    const create = {
      method: 'POST',
      url: '/api/calendars',
      cookie: owner.cookie,
      payload: { name: 'One more' },
    } as const
    expectRefusal(await meridian.request(create), 'calendar.limit_reached')
    await owner.delete(`/api/calendars/${ids[2]}`)
    expect(await listOpen(owner)).toEqual([ids[1]])
  })
})

describe('the effect of a change', () => {
  test('is shown before, and changes nothing', async () => {
    const { owner, calendars, ids } = await makePractice(4)
    expect(await previewEffect(owner, 'professional')).toEqual({
      calendar_limit: 3,
      calendars: [3, 2, 1, 0].map((i) => ({
        id: ids[i],
        name: calendars[i]?.name,
        upcoming_appointments: i,
        stays_open: i > 0,
        is_paused: false,
      })),
      inactive: [],
      choice_locked_until: null,
    })
    expect(
      (await previewEffect(owner, 'business')).calendars.every(
        (one: { stays_open: boolean }) => one.stays_open,
      ),
    ).toBe(true)
    expect(await listOpen(owner)).toHaveLength(4)
  })

  test('names what is set up and would be inactive', async () => {
    const owner = await makeOwner(meridian)
    await buyPlan(plans(), owner, 'business')
    await makePaidCalendar(meridian, owner)
    await meridian.database.execute(
      `update calendars set branding_settings = '{"logo_url": "x"}', domain_settings = '{"type": "custom"}' where user_id = $1`,
      [owner.id],
    )
    expect((await previewEffect(owner, 'professional')).inactive).toEqual(['paypal'])
    expect((await previewEffect(owner, 'free')).inactive).toEqual([
      'paypal',
      'custom_branding',
      'custom_domains',
    ])
    expect((await previewEffect(owner, 'business')).inactive).toEqual([])
  })
})

describe('the choice of the calendars that stay open', () => {
  test('made before the change is kept by it', async () => {
    const { owner, subscriptionId, ids } = await makePractice(4)
    expect((await choose(owner, [ids[0], ids[1]])).statusCode).toBe(204)
    expect((await choose(owner, [ids[0]])).statusCode).toBe(204)
    expect((await previewEffect(owner, 'free')).calendars[0]).toMatchObject({ id: ids[0], stays_open: true })
    expect(await listOpen(owner)).toHaveLength(4)
    await endPlan(owner, subscriptionId)
    expect(await listOpen(owner)).toEqual([ids[0]])
  })

  test('can be changed once in 30 days while some are paused', async () => {
    const { owner, subscriptionId, ids } = await makePractice(3)
    await endPlan(owner, subscriptionId)
    expect((await choose(owner, [ids[0]])).statusCode).toBe(204)
    expect(await listOpen(owner)).toEqual([ids[0]])
    expect((await choose(owner, [ids[0]])).statusCode).toBe(204)
    expectRefusal(await choose(owner, [ids[1]]), 'subscription.choice_locked')
    expect(await listOpen(owner)).toEqual([ids[0]])
    expect((await previewEffect(owner, 'free')).choice_locked_until).toBe(
      new Date(TEST_MONDAY + 30 * DAY_MS).toISOString(),
    )
    meridian.clock.ms = TEST_MONDAY + 30 * DAY_MS
    expect((await choose(owner, [ids[1]])).statusCode).toBe(204)
    expect(await listOpen(owner)).toEqual([ids[1]])
  })

  test('names calendars of the owner, and not more than the plan allows', async () => {
    const { owner, subscriptionId, ids } = await makePractice(2)
    const foreign = await makeCalendar(meridian, await makeOwner(meridian))
    expectRefusal(await choose(owner, [foreign.id]), 'calendar.not_found')
    await endPlan(owner, subscriptionId)
    expectRefusal(await choose(owner, ids), 'subscription.too_many_calendars')
    expect((await choose(owner, [])).statusCode).toBe(204)
    expect(await listOpen(owner)).toEqual([ids[1]])
  })
})

test('an owner with 5 calendars and 40 appointments to come goes to free, comes back, and goes to free again: nothing is lost', async () => {
  const { owner, subscriptionId, ids } = await makePractice(5)
  await addAppointments(
    meridian,
    ids[0] ?? '',
    Array.from({ length: 30 }, (_, i) => ({
      startsAt: new Date(TEST_MONDAY + (i + 1) * DAY_MS).toISOString(),
    })),
  )
  const everything = () => readAppointments(owner)
  const before = await everything()
  expect(before).toHaveLength(40)
  await endPlan(owner, subscriptionId)
  expect(await listOpen(owner)).toEqual([ids[0]])
  expect(await everything()).toEqual(before)
  const again = await buyPlan(plans(), owner, 'business')
  expect(await listOpen(owner)).toHaveLength(5)
  expect((await getStoredPlan(plans(), owner)).paused_calendars).toEqual([])
  meridian.clock.ms += DAY_MS / 24
  await endPlan(owner, again)
  expect(await listOpen(owner)).toEqual([ids[0]])
  expect(await everything()).toEqual(before)
})

test('a plan whose time passes is settled without any event, and a larger default plan opens everything', async () => {
  const { owner, subscriptionId, ids } = await makePractice(3)
  billing.change(subscriptionId, { cancelsAt: new Date(TEST_MONDAY + DAY_MS) })
  await refreshPlan(plans(), owner)
  meridian.clock.ms = TEST_MONDAY + DAY_MS
  await applyStoredPlans(meridian.deps)
  expect(await listOpen(owner)).toHaveLength(1)
  await applyStoredPlans({ ...meridian.deps, defaultTier: 'enterprise' })
  expect(await listOpen(owner)).toHaveLength(ids.length)
  await applyStoredPlans(meridian.deps)
  expect(await listOpen(owner)).toHaveLength(1)
})

test('PayPal stays set up and is not offered on a plan without it; what was paid is returned all the same', async () => {
  const owner = await makeOwner(meridian)
  const subscriptionId = await buyPlan(plans(), owner, 'business')
  const calendar = await makePaidCalendar(meridian, owner)
  const begun = await startCheckout(meridian, calendar, { provider: 'paypal' })
  providers.paypal.pay(begun.checkoutId)
  await settlePayment(meridian, begun.id)
  const ways = `/api/public/calendars/${calendar.slug}/payment-providers`
  expect((await meridian.get(ways)).json()).toMatchObject({ paypal_connected: true })
  billing.change(subscriptionId, { priceId: FAKE_PRICE_IDS.professional })
  await refreshPlan(plans(), owner)
  expect((await meridian.get(ways)).json()).toMatchObject({
    stripe_connected: true,
    paypal_connected: false,
  })
  const body = {
    provider: 'paypal',
    starts_at: '2027-01-04T10:00:00Z',
    customer: { name: 'Ada', email: 'a@example.com' },
  }
  expectRefusal(await startFirstCheckout(meridian, calendar, body), 'payment.provider_not_connected')
  const settings = await owner.get(`/api/calendars/${calendar.id}/payment-settings`)
  expect(settings.json()).toMatchObject({ paypal_connected: true })
  const change = {
    method: 'PATCH',
    url: `/api/calendars/${calendar.id}/payment-settings`,
    cookie: owner.cookie,
    payload: { paypal_client_id: 'other' },
  } as const
  expectRefusal(await meridian.request(change), 'payment.not_in_plan')
  const cancelled = await owner.post(`/api/calendars/${calendar.id}/appointments/${begun.id}/actions`, {
    action: 'cancel',
  })
  expect(cancelled.statusCode, cancelled.body).toBe(200)
})

test('a price that can only be paid through PayPal is left to the owner on a plan without it', async () => {
  const owner = await makeOwner(meridian)
  const subscriptionId = await buyPlan(plans(), owner, 'business')
  const calendar = await makePaidCalendar(meridian, owner)
  await meridian.database.execute(
    `update payment_settings set stripe_connected = false, stripe_account_id = null where calendar_id = $1`,
    [calendar.id],
  )
  await meridian.database.execute('update appointment_types set payment_required = true where id = $1', [
    calendar.typeId,
  ])
  const body = { appointment_type_id: calendar.typeId }
  expectRefusal(await bookAppointment(meridian, calendar.slug, body), 'booking.payment_required')
  billing.change(subscriptionId, { priceId: FAKE_PRICE_IDS.professional })
  await refreshPlan(plans(), owner)
  expect((await bookAppointment(meridian, calendar.slug, body)).statusCode).toBe(201)
})

async function readPublic(slug: string) {
  return (await meridian.get(`/api/public/calendars/${slug}`)).json()
}

async function listSlots(slug: string) {
  return (await meridian.get(`/api/public/calendars/${slug}/slots?date=2027-01-06`)).json()
}

async function listDays(slug: string): Promise<number[]> {
  const url = `/api/public/calendars/${slug}/days?from=2027-01-05&to=2027-01-07`
  return (await meridian.get(url)).json().days.map((day: { open_slots: number }) => day.open_slots)
}

async function previewEffect(owner: TestOwner, tier: string) {
  return (await owner.get(`/api/subscription/effect?tier=${tier}`)).json()
}

function choose(owner: TestOwner, calendar_ids: readonly (string | undefined)[]) {
  return owner.put('/api/subscription/open-calendars', { calendar_ids })
}

/** Lists the open calendars of an owner, oldest first. */
async function listOpen(owner: TestOwner): Promise<unknown[]> {
  const { rows } = await meridian.database.execute(
    'select id from calendars where user_id = $1 and not is_paused order by name',
    [owner.id],
  )
  return rows.map(({ id }) => id)
}

async function readAppointments(owner: TestOwner): Promise<unknown[]> {
  const { rows } = await meridian.database.execute(
    `select appointments.id, appointments.starts_at, appointments.status from appointments
     join calendars on calendars.id = calendar_id where user_id = $1 order by appointments.id`,
    [owner.id],
  )
  return rows
}
