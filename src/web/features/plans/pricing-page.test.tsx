// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Owner } from '#contract/sessions.ts'
import { makeOwner, makeSubscription } from '#web/testing/make-records.ts'
import { heldAnswer, refuse, stubApi } from '#web/testing/stub-api.ts'
import { Toaster } from '#web/ui/toast.tsx'
import { PLAN_OFFERS, PROMISED_FEATURES } from './plan-offers.ts'
import { PricingPage } from './pricing-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

const SITE = { default_plan: 'free', stripe: true } as const

function renderWithToasts(owner: Owner | null) {
  render(
    <>
      <PricingPage owner={owner} site={SITE} />
      <Toaster />
    </>,
  )
}

test('there are four plans with their price and what they give', () => {
  render(<PricingPage owner={null} site={SITE} />)
  const plans = screen
    .getAllByRole('heading', { level: 2 })
    .map((heading) => heading.closest('li')?.textContent)
  expect(plans.slice(0, 4)).toEqual([
    expect.stringMatching(/Free.*€0\.00 per month.*1 calendar/),
    expect.stringMatching(
      /Professional.*€9\.99 per month.*3 calendars.*Custom branding \(soon\).*Custom domains \(soon\)/,
    ),
    expect.stringMatching(
      /Business.*€19\.99 per month.*5 calendars.*PayPal payments(?! \(soon).*Priority support \(soon\)/,
    ),
    expect.stringMatching(/Enterprise.*Coming soon.*Unlimited calendars/),
  ])
})

test('every promise of a plan that the product does not keep yet is called soon', () => {
  const gifts = PLAN_OFFERS.flatMap(({ gives }) => gives)
  expect(gifts.filter(({ soon }) => soon).map(({ text }) => text)).toEqual(Object.values(PROMISED_FEATURES))
  expect(gifts.map(({ text }) => text).filter((text) => /_/.test(text))).toEqual([])
})

test('card payments are promised only where owners can connect Stripe', () => {
  const { rerender } = render(<PricingPage owner={null} site={SITE} />)
  expect(screen.getByText('Card payments through your own Stripe account')).toBeTruthy()
  rerender(<PricingPage owner={null} site={{ ...SITE, stripe: false }} />)
  expect(screen.queryByText(/^Card payments/)).toBeNull()
  expect(screen.getByText('Protection against double bookings')).toBeTruthy()
})

test('where every account has a larger plan, that is said and leads to a new account', async () => {
  const leave = vi.spyOn(location, 'assign').mockReturnValue()
  render(<PricingPage owner={null} site={{ ...SITE, default_plan: 'business' }} />)
  expect(screen.getByText(/^Every account here has the Business plan, at no charge\./)).toBeTruthy()
  expect(screen.queryByText(/Start with one calendar/)).toBeNull()
  expect(screen.getByText('Open now').closest('li')?.textContent).toMatch(/Business.*No charge here/)
  await userEvent.click(screen.getByRole('button', { name: 'Get Started: Business' }))
  expect(leave.mock.calls).toEqual([['/register']])
})

test('a plan that is not for sale can still be the one of every account', () => {
  render(<PricingPage owner={null} site={{ ...SITE, default_plan: 'enterprise' }} />)
  const plan = screen.getByRole('heading', { name: 'Enterprise' }).closest('li')?.textContent
  expect(plan).toMatch(/Open now.*No charge here/)
  expect(plan).not.toMatch(/soon/i)
  expect(screen.queryByText(/larger plans open soon/)).toBeNull()
})

test('a question opens to its answer', async () => {
  render(<PricingPage owner={null} site={SITE} />)
  const question = screen.getByText('How free is the free plan?')
  expect(question.closest('details')?.open).toBe(false)
  await userEvent.click(question)
  expect(question.closest('details')?.open).toBe(true)
  expect(screen.getByText(/It asks for no credit card/)).toBeTruthy()
})

test('a visitor who wants a plan is asked to log in, with the way there and back', async () => {
  const leave = vi.spyOn(location, 'assign').mockReturnValue()
  renderWithToasts(null)
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe: Professional' }))
  expect(screen.getByRole('status').textContent).toContain('Please log in to subscribe')
  await userEvent.click(screen.getByRole('button', { name: 'Log in' }))
  expect(leave.mock.calls).toEqual([['/login?redirect=%2Fpricing']])
})

test('a visitor who wants the free plan comes to a new account at once', async () => {
  const leave = vi.spyOn(location, 'assign').mockReturnValue()
  renderWithToasts(null)
  await userEvent.click(screen.getByRole('button', { name: 'Get Started: Free' }))
  expect(leave.mock.calls).toEqual([['/register']])
})

test('an owner is told of each plan how it stands', async () => {
  stubApi({ 'GET /api/subscription': makeSubscription() })
  renderWithToasts(makeOwner())
  await userEvent.click(await screen.findByRole('button', { name: 'Your plan: Free' }))
  expect(screen.getByRole('status').textContent).toContain('You are already on the free plan')
  for (const name of ['Subscribe: Professional', 'Subscribe: Business', 'Coming soon: Enterprise']) {
    await userEvent.click(screen.getByRole('button', { name }))
    expect(screen.getByRole('status').textContent).toContain(
      'This plan is coming soon! Stay tuned for updates.',
    )
  }
})

test('where the plan cannot be read, none is marked and the buttons still answer', async () => {
  const api = stubApi({ 'GET /api/subscription': refuse('server.unexpected') })
  renderWithToasts(makeOwner())
  await waitFor(() => expect(api.to('GET /api/subscription')).toHaveLength(1))
  expect(screen.queryAllByText('Your plan')).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Subscribe: Business' }))
  expect(screen.getByRole('status').textContent).toContain(
    'This plan is coming soon! Stay tuned for updates.',
  )
})

test('the plan of an owner is marked once it is known, and no other one before or after', async () => {
  const held = heldAnswer(makeSubscription({ subscribed: true, subscription_tier: 'Business' }))
  stubApi({ 'GET /api/subscription': held.answer })
  render(<PricingPage owner={makeOwner()} site={SITE} />)
  expect(screen.queryAllByText('Your plan')).toEqual([])
  held.release()
  const badge = await screen.findByText('Your plan', { selector: 'span' })
  const marked = screen.getAllByRole('listitem', { current: true })
  expect(marked).toEqual([badge.closest('li')])
  // That a plan is open is no news to whoever has an account.
  expect(screen.queryByText('Open now')).toBeNull()
  expect(within(marked[0] as HTMLElement).getByRole('button', { name: 'Your plan: Business' })).toBeTruthy()
})
