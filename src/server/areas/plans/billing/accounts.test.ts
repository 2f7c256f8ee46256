import { beforeEach, describe, expect, test } from 'vitest'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { makeFakeBilling } from '#tests/support/fake-billing-provider.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner, TEST_PASSWORD, type TestOwner, waitFor } from '#tests/support/meridian.ts'
import { buyPlan, getStoredPlan, requestPlanCheckout } from '#tests/support/plan-owner.ts'
import { syncDifferingPlans } from './check-plans.ts'

const billing = makeFakeBilling(() => meridian.clock.ms)
setUpMeridian({ billing })
beforeEach(() => {
  billing.answer()
})

const plans = () => ({ meridian, billing })

describe('deleting the account', () => {
  test('ends what is paid for the plan, and what could still be paid', async () => {
    const owner = await makeOwner(meridian)
    const subscriptionId = await buyPlan(plans(), owner, 'business')
    expect((await deleteAccount(owner)).statusCode).toBe(204)
    expect(billing.subscriptions.get(subscriptionId)).toMatchObject({ status: 'canceled' })
    expect(billing.refunds.has(subscriptionId)).toBe(false)
    for (const table of ['billing_customers', 'plan_notices', 'subscriptions']) {
      const { rows } = await meridian.database.execute(`select from ${table} where user_id = $1`, [owner.id])
      expect(rows).toEqual([])
    }
    const undecided = await makeOwner(meridian)
    const { url } = (await requestPlanCheckout(plans(), undecided, 'professional')).json()
    expect((await deleteAccount(undecided)).statusCode).toBe(204)
    expect(() => billing.pay(url)).toThrow('not open any more')
  })

  test('is refused while the provider does not answer, and nothing is lost', async () => {
    const owner = await makeOwner(meridian)
    const subscriptionId = await buyPlan(plans(), owner, 'business')
    const calendar = await makeCalendar(meridian, owner)
    billing.fallSilent()
    expectRefusal(await deleteAccount(owner), 'subscription.deletion_failed')
    expect(await getStoredPlan(plans(), owner)).toMatchObject({
      standing: 'active',
      subscription_tier: 'Business',
    })
    const kept = await owner.get(`/api/calendars/${calendar.id}`)
    expect(kept.statusCode).toBe(200)
    billing.answer()
    expect(billing.subscriptions.get(subscriptionId)).toMatchObject({ status: 'active' })
    expect((await deleteAccount(owner)).statusCode).toBe(204)
  })

  test('succeeds when the customer was deleted at the provider before', async () => {
    const owner = await makeOwner(meridian)
    await buyPlan(plans(), owner, 'business')
    const customer = billing.customers.get(billing.customerOf(owner.id))
    if (customer === undefined) throw new Error('there is a customer')
    customer.isGone = true
    expect((await deleteAccount(owner)).statusCode).toBe(204)
  })

  test('of an owner who never bought anything asks nobody', async () => {
    const owner = await makeOwner(meridian)
    billing.fallSilent()
    expect((await deleteAccount(owner)).statusCode).toBe(204)
  })

  test('an answer that comes after it changes nothing', async () => {
    const owner = await makeOwner(meridian)
    await buyPlan(plans(), owner, 'business')
    const customerId = billing.customerOf(owner.id)
    await deleteAccount(owner)
    const request = {
      method: 'POST',
      url: '/api/webhooks/stripe-billing',
      ...billing.toEvent({ customerId }),
    } as const
    expect((await meridian.request(request)).statusCode).toBe(200)
    await waitFor(() => (meridian.logLines.some((line) => line.includes(customerId)) ? true : undefined))
  })
})

describe('another email address', () => {
  test('is passed on to the provider, also when it does not answer at first', async () => {
    const owner = await makeOwner(meridian)
    await buyPlan(plans(), owner, 'professional')
    const customerId = billing.customerOf(owner.id)
    billing.fallSilent()
    const email = await changeAddress(owner)
    billing.answer()
    await syncDifferingPlans({ ...meridian.deps, billing })
    await waitFor(() => (billing.customers.get(customerId)?.email === email ? true : undefined))
    const { rows } = await meridian.database.execute(
      'select email from billing_customers where user_id = $1',
      [owner.id],
    )
    expect(rows).toEqual([{ email }])
  })

  test('of an owner who never bought anything is passed on to nobody', async () => {
    const owner = await makeOwner(meridian)
    const before = billing.calls.length
    await changeAddress(owner)
    expect(billing.calls.slice(before)).not.toContain('changeEmail')
  })
})

test('the archive of an owner has what is stored about the plan', async () => {
  const owner = await makeOwner(meridian)
  await buyPlan(plans(), owner, 'professional')
  const answer = await owner.post('/api/profile/export', { password: TEST_PASSWORD })
  expect(answer.statusCode).toBe(200)
  expect(answer.rawPayload.includes('billing-customer')).toBe(true)
  expect(answer.rawPayload.includes('plan-emails')).toBe(true)
})

function deleteAccount(owner: TestOwner) {
  const payload = { password: TEST_PASSWORD }
  return meridian.request({ method: 'DELETE', url: '/api/profile', cookie: owner.cookie, payload })
}

async function changeAddress(owner: TestOwner): Promise<string> {
  const email = `moved-${owner.email}`
  const payload = { email, current_password: TEST_PASSWORD }
  await owner.patch('/api/profile', payload)
  const mail = await meridian.waitForMail(({ to }) => to.address === email)
  const token = /token=([^\s"&]+)/.exec(mail.text)?.[1] ?? ''
  const confirmed = await meridian.post('/api/auth/email-change', { token: decodeURIComponent(token) })
  expect(confirmed.statusCode, confirmed.body).toBe(200)
  return email
}
