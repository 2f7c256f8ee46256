import type { LightMyRequestResponse } from 'fastify'
import { expect } from 'vitest'
import type { BillingEvent } from '#server/ports/billing-provider.ts'
import type { FakeBilling } from './fake-billing-provider.ts'
import type { TestMeridian, TestOwner } from './meridian.ts'

export type PlanTestSetup = { readonly meridian: TestMeridian; readonly billing: FakeBilling }
type Tier = 'professional' | 'business'

export function requestPlanCheckout(
  { meridian }: PlanTestSetup,
  owner: TestOwner,
  tier: Tier,
): Promise<LightMyRequestResponse> {
  const payload = { tier }
  return meridian.as(owner).post('/api/subscription/checkout', payload)
}

/** The owner buys a plan and returns from the checkout. Returns the subscription's id. */
export async function buyPlan(plans: PlanTestSetup, owner: TestOwner, tier: Tier): Promise<string> {
  const answer = await requestPlanCheckout(plans, owner, tier)
  expect(answer.json()).toMatchObject({ kind: 'checkout' })
  const subscriptionId = plans.billing.pay(answer.json().url)
  expect(await refreshPlan(plans, owner)).toMatchObject({ standing: 'active' })
  return subscriptionId
}

/** Refreshes the plan from the provider. Returns the response. */
export async function refreshPlan({ meridian }: PlanTestSetup, owner: TestOwner) {
  const request = { method: 'POST', url: '/api/subscription/refresh', cookie: owner.cookie } as const
  const answer = await meridian.request(request)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

/** Returns the owner's plan as stored. */
export async function getStoredPlan({ meridian }: Pick<PlanTestSetup, 'meridian'>, owner: TestOwner) {
  return (await meridian.as(owner).get('/api/subscription')).json()
}

/** Sends the provider's event about a customer to the webhook. */
export function sendBillingEvent(
  { meridian, billing }: PlanTestSetup,
  event: Partial<BillingEvent>,
): Promise<LightMyRequestResponse> {
  return meridian.request({
    method: 'POST',
    url: '/api/webhooks/stripe-billing',
    ...billing.toEvent(event),
  })
}
