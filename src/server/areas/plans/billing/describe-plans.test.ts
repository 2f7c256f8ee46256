import { expect, test } from 'vitest'
import { makeFakeBilling } from '#tests/support/fake-billing-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeOwner, TEST_MONDAY } from '#tests/support/meridian.ts'
import { buyPlan, refreshPlan } from '#tests/support/plan-owner.ts'
import { describePlans } from './describe-plans.ts'

const billing = makeFakeBilling(() => TEST_MONDAY)
setUpMeridian({ billing })

test('an operator reads how many owners have which plan, who owes a payment, and what differs from Stripe', async () => {
  const plans = { meridian, billing }
  await makeOwner(meridian)
  await makeOwner(meridian, { tier: 'business' })
  const late = await makeOwner(meridian)
  billing.change(await buyPlan(plans, late, 'professional'), { status: 'past_due' })
  await refreshPlan(plans, late)
  const other = await makeOwner(meridian)
  const subscriptionId = await buyPlan(plans, other, 'professional')
  const counts = [
    'Owners: 4',
    '  Free (the default plan here): 1',
    '  Business (given by hand): 1',
    '  Professional (active): 1',
    '  Professional (past due): 1',
    'Past due: 1',
  ]
  expect(await describePlans(meridian.deps)).toEqual([...counts, 'Differs from Stripe: 0'])
  billing.change(subscriptionId, { priceId: 'price_of_something_else' })
  expect(await describePlans(meridian.deps)).toEqual([
    ...counts,
    'Differs from Stripe: 1',
    `  ${subscriptionId} of ${billing.customerOf(other.id)} (owner ${other.id}) has a price that the settings do not name`,
    'The nightly comparison brings them up to date, as far as owner and price are known.',
  ])
  billing.fallSilent()
  expect(await describePlans(meridian.deps)).toEqual([
    ...counts,
    'Stripe does not answer: The provider did not answer.',
  ])
  expect((await describePlans({ ...meridian.deps, billing: null })).at(-1)).toBe('No plan is for sale here')
})
