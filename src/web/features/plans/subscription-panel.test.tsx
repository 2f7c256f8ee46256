// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { PLANS } from '#core/plan/plan.ts'
import { makeSubscription } from '#web/testing/make-records.ts'
import { renderPart } from '#web/testing/render-part.tsx'
import { heldAnswer, refuse, stubApi } from '#web/testing/stub-api.ts'
import { SubscriptionPanel } from './subscription-panel.tsx'

const EVERYBODYS = 'A booking page with a link of its own'
const READ = 'GET /api/subscription'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('without a subscription the badge says Free, and the way to the plans is there', async () => {
  openPanel(makeSubscription(), 1)
  expect(await screen.findByText('Free')).toBeDefined()
  expect(text()).toContain('1 of 1 calendar used')
  expect(text()).not.toContain('Not ready yet')
  expect(text()).not.toContain('branding')
  expect(screen.getByText('Protection against double bookings')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Compare plans' }).getAttribute('href')).toBe('/pricing')
})

test.each([
  ['professional', '2 of 3 calendars used', 'custom branding, custom domains.', EVERYBODYS],
  [
    'business',
    '2 of 5 calendars used',
    'custom branding, custom domains, priority support.',
    'PayPal payments',
  ],
  [
    'enterprise',
    '2 calendars, as many as you like',
    'custom branding, custom domains, priority support.',
    'PayPal payments',
  ],
] as const)(
  'the %s plan says how much of it is used, what it gives, its own gifts first, and what it only promises',
  async (tier, used, promised, first) => {
    const { name, calendarLimit, features, integrations } = PLANS[tier]
    openPanel(
      makeSubscription({
        subscribed: true,
        subscription_tier: name,
        subscription_end: '2026-12-24T12:00:00Z',
        limits: { calendars: calendarLimit, features: [...features], integrations: [...integrations] },
      }),
      2,
    )
    expect(await screen.findByText(name)).toBeDefined()
    expect(text()).toContain(used)
    expect(screen.getByText('Until December 24, 2026')).toBeDefined()
    expect(text()).toContain(`Not ready yet, and yours as soon as they are: ${promised}`)
    expect(screen.getAllByRole('listitem')[0]?.textContent).toBe(first)
  },
)

test('refreshed, it shows what the server says now; pressed twice, it asks once', async () => {
  const { user, api } = openPanel(makeSubscription(), 1)
  const button = await screen.findByRole('button', { name: 'Refresh' })
  const held = heldAnswer(makeSubscription({ subscribed: true, subscription_tier: 'Business' }))
  api.answer(READ, held.answer)
  const reads = api.to(READ).length
  await user.click(button)
  await user.click(await screen.findByRole('button', { name: 'Refreshing...' }))
  held.release()
  expect(await screen.findByText('Subscription status refreshed')).toBeDefined()
  expect(screen.getByText('Business')).toBeDefined()
  expect(api.to(READ)).toHaveLength(reads + 1)
})

test.each([
  ['Failed to refresh subscription status', 'server.unavailable'],
  ['Please log in to refresh subscription status', 'auth.required'],
] as const)('%s: what is known stays', async (sentence, code) => {
  const { user, api } = openPanel(makeSubscription(), 1)
  const button = await screen.findByRole('button', { name: 'Refresh' })
  api.answer(READ, refuse(code))
  await user.click(button)
  expect(await screen.findByText(sentence)).toBeDefined()
  expect(screen.getByText('Free')).toBeDefined()
})

test('when it cannot be loaded it says so and can be asked again', async () => {
  const { user, api } = openPanel(refuse('auth.required'), undefined)
  expect(screen.getByText('Loading your subscription...')).toBeDefined()
  expect(await screen.findByText('Failed to load your subscription')).toBeDefined()
  api.answer(READ, makeSubscription())
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Free')).toBeDefined()
})

/** What is written in the card, as one line. */
function text(): string {
  return document.body.textContent ?? ''
}

function openPanel(answer: unknown, calendarCount: number | undefined) {
  const api = stubApi({ [READ]: answer })
  const { user } = renderPart(<SubscriptionPanel calendarCount={calendarCount} canConnectStripe />)
  return { user, api }
}
