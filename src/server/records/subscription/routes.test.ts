import { describe, expect, test } from 'vitest'
import { createCalendarBody } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { createCalendar } from '#server/records/calendars/use-cases.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeOwner, TEST_MONDAY, type TestOwner } from '#tests/support/meridian.ts'
import { refuseFeatureOutsidePlan } from './use-cases.ts'

setUpMeridian()

const LIMIT = PROBLEMS['calendar.limit_reached'].title

describe.each([
  { plan: 'Free', tier: undefined, calendars: 1, paypal: false, branding: false },
  { plan: 'Professional', tier: 'professional', calendars: 3, paypal: false, branding: true },
  { plan: 'Business', tier: 'business', calendars: 5, paypal: true, branding: true },
] as const)('the $plan plan', ({ plan, tier, calendars, paypal, branding }) => {
  test('says what it allows', async () => {
    const owner = await makeOwner(meridian, tier === undefined ? {} : { tier })
    const answer = await getPlan(owner)
    expect(answer).toMatchObject({
      subscribed: plan !== 'Free',
      subscription_tier: plan,
      subscription_end: null,
      limits: { calendars },
    })
    expect(answer.limits.integrations.includes('paypal')).toBe(paypal)
    expect(answer.limits.integrations).toEqual(expect.arrayContaining(['google_calendar', 'stripe']))
    expect(answer.limits.features.includes('custom_branding')).toBe(branding)
    expect(answer.limits.features.includes('custom_domains')).toBe(branding)
    expect(answer.limits.features).toEqual(expect.arrayContaining(['basic_booking', 'email_notifications']))
  })

  test(`allows ${calendars} calendars, also for requests made at the same moment`, async () => {
    const owner = await makeOwner(meridian, tier === undefined ? {} : { tier })
    const answers = await Promise.all(Array.from({ length: calendars + 2 }, () => create(owner)))
    expect(answers.filter((answer) => answer.statusCode === 201)).toHaveLength(calendars)
    const refused = answers.filter((answer) => answer.statusCode !== 201)
    for (const answer of refused) {
      expect(answer.statusCode).toBe(402)
      expect(answer.json()).toMatchObject({ code: 'calendar.limit_reached', title: LIMIT })
    }
    const list = await owner.get('/api/calendars')
    expect(list.json().calendars).toHaveLength(calendars)
  })
})

test('a subscription that has ended counts for nothing', async () => {
  const owner = await makeOwner(meridian, { tier: 'business' })
  const endAt = (endsAt: number) =>
    meridian.database.db
      .updateTable('subscriptions')
      .set({ ends_at: new Date(endsAt) })
      .where('user_id', '=', owner.id)
      .execute()
  await endAt(TEST_MONDAY + 1)
  expect(await getPlan(owner)).toMatchObject({
    subscription_tier: 'Business',
    subscription_end: '2027-01-04T08:00:00.001Z',
  })
  await endAt(TEST_MONDAY)
  expect(await getPlan(owner)).toMatchObject({ subscribed: false, subscription_tier: 'Free' })
  expect((await create(owner)).statusCode).toBe(201)
  expect((await create(owner)).statusCode).toBe(402)
})

test('whoever runs the product decides the plan of owners who bought none', async () => {
  const owner = await makeOwner(meridian)
  const deps = { ...meridian.deps, defaultTier: 'professional' } as const
  // Elsewhere only the session guard creates this type; here the owner was just created.
  const ownerId = owner.id as OwnerId
  for (const name of ['One', 'Two', 'Three']) {
    await createCalendar(deps, ownerId, createCalendarBody.parse({ name }))
  }
  await expect(createCalendar(deps, ownerId, createCalendarBody.parse({ name: 'Four' }))).rejects.toThrow(
    LIMIT,
  )
  await expect(
    createCalendar(
      { ...deps, defaultTier: 'enterprise' },
      ownerId,
      createCalendarBody.parse({ name: 'Four' }),
    ),
  ).resolves.toMatchObject({ slug: 'four' })
})

test('a calendar that is deleted makes room for another', async () => {
  const owner = await makeOwner(meridian)
  const { id } = (await create(owner)).json()
  expect((await create(owner)).statusCode).toBe(402)
  await owner.delete(`/api/calendars/${id}`)
  expect((await create(owner)).statusCode).toBe(201)
})

test('what a plan does not include is refused with the words of the feature, until the plan has it', async () => {
  const owner = await makeOwner(meridian)
  // Elsewhere only the session guard creates this type; here the owner was just created.
  const ownerId = owner.id as OwnerId
  await expect(refuseFeatureOutsidePlan(meridian.deps, ownerId, 'paypal')).rejects.toMatchObject({
    code: 'payment.not_in_plan',
  })
  const business = { ...meridian.deps, defaultTier: 'business' } as const
  await expect(refuseFeatureOutsidePlan(business, ownerId, 'paypal')).resolves.toBeUndefined()
})

function create(owner: TestOwner) {
  const payload = { name: 'Practice' }
  return owner.post('/api/calendars', payload)
}

async function getPlan(owner: TestOwner) {
  const response = await owner.get('/api/subscription')
  expect(response.statusCode).toBe(200)
  return response.json()
}
