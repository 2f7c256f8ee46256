import { afterAll, beforeAll, expect, test } from 'vitest'
import { syncSubscription } from '#server/areas/plans/billing/run-sync.ts'
import { FAKE_PRICE_IDS, type FakeBilling, makeFakeBilling } from '#tests/support/fake-billing-provider.ts'
import {
  bookAppointment,
  makeCalendar,
  makeOwner,
  TEST_MONDAY,
  type TestMeridian,
} from '#tests/support/meridian.ts'
import { testOnEachDatabaseSetup } from '#tests/support/on-each-track.ts'
import {
  buyPlan,
  getStoredPlan,
  type PlanTestSetup,
  refreshPlan,
  requestPlanCheckout,
  sendBillingEvent,
} from '#tests/support/plan-owner.ts'
import { queryNumber, queryRows, waitUntil, waitUntilEmailsSent } from '#tests/support/race-track.ts'

/** Rounds of each race. Several, because a fault may show in only one of many attempts. */
const ROUNDS = 6

testOnEachDatabaseSetup(({ start }) => {
  let meridian: TestMeridian
  let billing: FakeBilling

  beforeAll(async () => {
    billing = makeFakeBilling(() => TEST_MONDAY)
    meridian = await start({ billing })
  })
  afterAll(() => meridian.stop())

  const plans = () => ({ meridian, billing })

  test('two events, a refresh and the way back at once lead to one plan and one welcome', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const owner = await makeOwner(meridian)
      const answers = await Promise.all([
        requestPlanCheckout(plans(), owner, 'business'),
        requestPlanCheckout(plans(), owner, 'business'),
        requestPlanCheckout(plans(), owner, 'business'),
      ])
      const urls = new Set(answers.map((answer) => answer.json().url))
      expect(urls.size).toBe(1)
      const subscriptionId = billing.pay([...urls][0])
      const customerId = billing.customerOf(owner.id)
      await Promise.all([
        sendBillingEvent(plans(), { customerId, type: 'checkout.session.completed' }),
        sendBillingEvent(plans(), { customerId, type: 'customer.subscription.created' }),
        refreshPlan(plans(), owner),
        refreshPlan(plans(), owner),
        syncSubscription({ ...meridian.deps, billing }, customerId),
        requestPlanCheckout(plans(), owner, 'professional'),
      ])
      expect(await getStoredPlan(plans(), owner)).toMatchObject({
        standing: 'active',
        subscription_tier: 'Business',
      })
      await finishSyncs(meridian)
      expect(
        await queryRows(meridian.database, 'select occasion from plan_notices where user_id = $1', [
          owner.id,
        ]),
      ).toEqual([{ occasion: 'welcome' }])
      expect(billing.subscriptions.get(subscriptionId)?.status).toBe('active')
    }
    await waitUntilEmailsSent(meridian.database)
  })

  test('twenty clicks at once lead to one checkout, whichever request of them reaches the provider first', async () => {
    const owner = await makeOwner(meridian)
    const click = () => requestPlanCheckout(plans(), owner, 'business')
    const answers = await Promise.all(Array.from({ length: 20 }, click))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200))
    expect(new Set(answers.map((answer) => answer.json().url)).size).toBe(1)
  })

  test('twenty clicks at once of an owner who has a plan lead to the portal', async () => {
    const owner = await makeOwner(meridian)
    await buyPlan(plans(), owner, 'professional')
    const click = () => requestPlanCheckout(plans(), owner, 'business')
    const answers = await Promise.all(Array.from({ length: 20 }, click))
    expect(answers.map((answer) => answer.json().kind)).toEqual(Array(20).fill('portal'))
  })

  test('what the provider says last is stored, however many ask while it changes', async () => {
    const owner = await makeOwner(meridian)
    const subscriptionId = await buyPlan(plans(), owner, 'professional')
    const customerId = billing.customerOf(owner.id)
    for (let round = 0; round < ROUNDS; round += 1) {
      const priceId = round % 2 === 0 ? FAKE_PRICE_IDS.business : FAKE_PRICE_IDS.professional
      const syncs = Array.from({ length: 4 }, () =>
        syncSubscription({ ...meridian.deps, billing }, customerId),
      )
      billing.change(subscriptionId, { priceId })
      syncs.push(syncSubscription({ ...meridian.deps, billing }, customerId))
      await Promise.all(syncs)
      expect((await getStoredPlan(plans(), owner)).subscription_tier).toBe(
        round % 2 === 0 ? 'Business' : 'Professional',
      )
    }
  })

  test('a booking is made before its calendar is paused or not at all', async () => {
    for (let round = 0; round < ROUNDS; round += 1) await bookWhilePausing(plans())
    await waitUntilEmailsSent(meridian.database)
  })
})

/** An owner loses the plan while customers book on both calendars. */
async function bookWhilePausing({ meridian, billing }: PlanTestSetup): Promise<void> {
  const owner = await makeOwner(meridian)
  const subscriptionId = await buyPlan({ meridian, billing }, owner, 'business')
  const calendars = [await makeCalendar(meridian, owner), await makeCalendar(meridian, owner)]
  billing.change(subscriptionId, { status: 'canceled', endedAt: new Date(TEST_MONDAY) })
  const bookings = calendars.flatMap(({ slug }) =>
    ['09', '10', '11'].map((hour) =>
      bookAppointment(meridian, slug, { starts_at: `2027-01-04T${hour}:00:00Z` }),
    ),
  )
  const [, ...answers] = await Promise.all([refreshPlan({ meridian, billing }, owner), ...bookings])
  const refused = answers.filter(({ statusCode }) => statusCode !== 201)
  expect(new Set(refused.map((answer) => answer.json().code))).toEqual(
    new Set(refused.length === 0 ? [] : ['calendar.paused']),
  )
  const rows = await queryRows(
    meridian.database,
    'select slug, is_paused from calendars where user_id = $1 order by is_paused',
    [owner.id],
  )
  expect(rows.map(({ is_paused }) => is_paused)).toEqual([false, true])
  const later = await Promise.all(
    rows.map(({ slug }) => bookAppointment(meridian, String(slug), { starts_at: '2027-01-06T15:00:00Z' })),
  )
  expect(later.map(({ statusCode }) => statusCode)).toEqual([201, 409])
}

/** Waits until no job is fetching a plan from the provider. */
async function finishSyncs({ database }: TestMeridian): Promise<void> {
  const open = `select count(*) from pgboss.job where name = 'plan-sync' and state in ('created', 'retry', 'active')`
  await waitUntil(async () => (await queryNumber(database, open)) === 0)
}
