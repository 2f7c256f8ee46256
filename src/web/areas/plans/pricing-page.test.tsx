// @vitest-environment happy-dom

import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Owner } from '#contract/accounts/sessions.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { makeOwner, makeSubscription } from '#web/testing/make-records.ts'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { stubTab } from '#web/testing/stub-tab.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { ANNOUNCED_FEATURES, PLAN_OFFERS } from './plan-offers.ts'
import { PricingPage } from './pricing-page.tsx'

const READ = 'GET /api/subscription'
const CHECKOUT = 'POST /api/subscription/checkout'
const PORTAL = 'POST /api/subscription/portal'
const REFRESH = 'POST /api/subscription/refresh'
const COMING_SOON = 'This plan is coming soon! Stay tuned for updates.'

beforeEach(() => history.replaceState(null, '', '/pricing'))

const SITE = {
  default_plan: 'free',
  registration: 'open',
  stripe: true,
  plans_for_sale: [
    { tier: 'professional', amount_cents: 999, currency: 'eur' },
    { tier: 'business', amount_cents: 1999, currency: 'eur' },
  ],
} as const
const SELLING_NOTHING = { ...SITE, plans_for_sale: [] } as const

function renderWithToasts(
  owner: Owner | null | undefined,
  site: Parameters<typeof PricingPage>[0]['site'] = SITE,
) {
  render(
    <>
      <PricingPage owner={owner} site={site} />
      <Toaster />
    </>,
  )
}

/** Opens the page for an owner with this subscription, and waits until the subscription has loaded. */
async function openFor(over: Partial<SubscriptionResponse>, answers: Record<string, unknown> = {}) {
  const api = stubApi({ [READ]: makeSubscription(over), ...answers })
  renderWithToasts(makeOwner())
  await screen.findByRole('listitem', { current: true })
  return api
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const cards = () =>
  screen
    .getAllByRole('heading', { level: 2 })
    .map((heading) => heading.closest('li')?.textContent)
    .slice(0, 4)
const buttons = () =>
  screen.getAllByRole('button', { name: /: / }).map((button) => button.getAttribute('aria-label'))

const BOUGHT = {
  subscribed: true,
  subscription_tier: 'Professional',
  standing: 'active',
  can_manage: true,
  next_charge: { amount_cents: 999, currency: 'eur', at: '2026-12-24T12:00:00Z' },
} as const

describe('what plans cost', () => {
  test('there are four plans with their price and what they give', () => {
    render(<PricingPage owner={null} site={SITE} />)
    expect(cards()).toEqual([
      expect.stringMatching(/Free.*€0\.00 per month.*1 calendar/),
      expect.stringMatching(
        /Professional.*€9\.99 per month.*3 calendars.*Custom branding.*Custom domains(?! \(soon)/,
      ),
      expect.stringMatching(
        /Business.*€19\.99 per month.*5 calendars.*PayPal payments(?! \(soon).*Priority support \(soon\)/,
      ),
      expect.stringMatching(/Enterprise.*Coming soon.*Unlimited calendars/),
    ])
  })

  test('the prices are those of the provider, in its currency', () => {
    const plans_for_sale = [{ tier: 'professional', amount_cents: 1250, currency: 'chf' }] as const
    render(<PricingPage owner={null} site={{ ...SITE, plans_for_sale }} />)
    const [free, professional, business] = cards().map((text) => text?.replace(/\s/g, ' '))
    expect(free).toMatch(/CHF 0\.00 per month/)
    expect(professional).toMatch(/CHF 12\.50 per month/)
    expect(business).toMatch(/Not sold here/)
  })

  test('an owner who has a plan sees the prices too', async () => {
    await openFor(BOUGHT)
    expect(cards()).toEqual([
      expect.stringContaining('€0.00'),
      expect.stringContaining('€9.99'),
      expect.stringContaining('€19.99'),
      expect.stringContaining('Coming soon'),
    ])
    cleanup()
    await openFor({ subscribed: true, subscription_tier: 'Business', standing: 'given' })
    expect(cards()[2]).toMatch(/€19\.99 per month.*Free of charge for you/)
  })

  test('where nothing is sold, the page says what everybody has and shows no price that cannot be paid', () => {
    render(<PricingPage owner={null} site={SELLING_NOTHING} />)
    expect(
      screen.getByText(
        'Every account here has the Free plan, free of charge. Larger plans aren’t sold on this site.',
      ),
    ).toBeDefined()
    expect(cards().filter((text) => /[1-9]\.\d\d/.test(text ?? ''))).toEqual([])
    expect(buttons()).toEqual(['Get Started: Free', 'Coming soon: Enterprise'])
    expect(screen.queryByText('How do I pay for a larger plan?')).toBeNull()
  })
})

test('every promise of a plan that the product does not keep yet is called soon', () => {
  const gifts = PLAN_OFFERS.flatMap(({ gives }) => gives)
  expect(gifts.filter(({ soon }) => soon).map(({ text }) => text)).toEqual(Object.values(ANNOUNCED_FEATURES))
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
  expect(screen.getByText(/^Every account here has the Business plan, free of charge\./)).toBeTruthy()
  expect(screen.queryByText(/Start with one calendar/)).toBeNull()
  expect(screen.getByText('Open now').closest('li')?.textContent).toMatch(/Business.*No charge here/)
  await press('Get Started: Business')
  expect(leave.mock.calls).toEqual([['/register']])
})

test.each(['invited', 'closed'] as const)(
  'where registration is %s, no plan leads to a new account',
  (registration) => {
    render(<PricingPage owner={null} site={{ ...SITE, registration }} />)
    expect(buttons()).toEqual(['Subscribe: Professional', 'Subscribe: Business', 'Coming soon: Enterprise'])
  },
)

test('a plan that is not for sale can still be the one of every account', () => {
  render(<PricingPage owner={null} site={{ ...SELLING_NOTHING, default_plan: 'enterprise' }} />)
  const plan = screen.getByRole('heading', { name: 'Enterprise' }).closest('li')?.textContent
  expect(plan).toMatch(/Open now.*No charge here/)
  expect(plan).not.toMatch(/soon/i)
})

test('a question opens to its answer', async () => {
  render(<PricingPage owner={null} site={SITE} />)
  const question = screen.getByText('Is the free plan really free?')
  expect(question.closest('details')?.open).toBe(false)
  await userEvent.click(question)
  expect(question.closest('details')?.open).toBe(true)
  expect(screen.getByText(/You don’t need a credit card/)).toBeTruthy()
})

describe('a visitor', () => {
  test('who wants a plan is led to the login, told why, and led back to the purchase', async () => {
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    renderWithToasts(null)
    await press('Subscribe: Professional')
    expect(screen.getByRole('status').textContent).toContain('Please log in to subscribe')
    expect(leave.mock.calls).toEqual([['/login?redirect=%2Fpricing%3Fplan%3Dprofessional']])
  })

  test('who wants the free plan comes to a new account at once', async () => {
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    renderWithToasts(null)
    await press('Get Started: Free')
    expect(leave.mock.calls).toEqual([['/register']])
  })

  test('who was taken for an owner is led to the login as well', async () => {
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    stubApi({ [CHECKOUT]: errorResponse('auth.required') })
    renderWithToasts(undefined)
    await press('Subscribe: Business')
    expect(await screen.findByText('Please log in to subscribe')).toBeDefined()
    expect(leave.mock.calls).toEqual([['/login?redirect=%2Fpricing%3Fplan%3Dbusiness']])
  })
})

describe('an owner without a subscription', () => {
  test('is told that the free plan is theirs and the largest is not sold yet', async () => {
    await openFor({})
    await press('Your plan: Free')
    expect(screen.getByRole('status').textContent).toContain('You are already on the free plan')
    await press('Coming soon: Enterprise')
    expect(screen.getByRole('status').textContent).toContain(COMING_SOON)
  })

  test('goes to the checkout, once for two presses', async () => {
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    const held = heldResponse({ kind: 'checkout', url: 'https://pay.example/c/1' })
    const api = await openFor({}, { [CHECKOUT]: held.answer })
    const button = screen.getByRole('button', { name: 'Subscribe: Professional' })
    fireEvent.click(button)
    fireEvent.click(button)
    await press('Opening...: Professional')
    held.release()
    await waitFor(() => expect(leave.mock.calls).toEqual([['https://pay.example/c/1']]))
    expect(api.to(CHECKOUT).map(({ body }) => body)).toEqual([{ tier: 'professional' }])
  })

  test('who comes back from the checkout can press again', async () => {
    vi.spyOn(location, 'assign').mockReturnValue()
    await openFor({}, { [CHECKOUT]: { kind: 'checkout', url: 'https://pay.example/c/1' } })
    await press('Subscribe: Professional')
    await screen.findByRole('button', { name: 'Opening...: Professional' })
    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }))
    expect(await screen.findByRole('button', { name: 'Subscribe: Professional' })).toBeDefined()
  })

  test.each([
    ['server.unavailable', PROBLEMS['subscription.checkout_failed'].title],
    ['subscription.checkout_failed', PROBLEMS['subscription.checkout_failed'].title],
    ['subscription.not_for_sale', PROBLEMS['subscription.not_for_sale'].title],
    ['subscription.given', PROBLEMS['subscription.given'].title],
  ] as const)('whose checkout is refused (%s) reads: %s', async (code, sentence) => {
    await openFor({}, { [CHECKOUT]: errorResponse(code) })
    await press('Subscribe: Business')
    expect(await screen.findByText(sentence)).toBeDefined()
    expect(screen.getByRole('button', { name: 'Subscribe: Business' })).toBeDefined()
  })

  test('back from the login goes on to the purchase, and a reload buys nothing', async () => {
    history.replaceState(null, '', '/pricing?plan=business')
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    const api = stubApi({
      [READ]: makeSubscription(),
      [CHECKOUT]: { kind: 'checkout', url: 'https://pay.example/c/2' },
    })
    renderWithToasts(makeOwner())
    await waitFor(() => expect(leave.mock.calls).toEqual([['https://pay.example/c/2']]))
    expect(api.to(CHECKOUT).map(({ body }) => body)).toEqual([{ tier: 'business' }])
    expect(location.search).toBe('')
  })

  test('an address that names no plan buys nothing', async () => {
    history.replaceState(null, '', '/pricing?plan=toString')
    const api = await openFor({})
    await waitFor(() => expect(location.search).toBe(''))
    expect(api.to(CHECKOUT)).toEqual([])
  })
})

describe('an owner with a subscription', () => {
  test('back from the login is not sold a second one', async () => {
    history.replaceState(null, '', '/pricing?plan=professional')
    const { tab } = stubTab()
    const api = await openFor(BOUGHT, { [PORTAL]: { url: 'https://pay.example/p/1' } })
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalled())
    expect(api.to(CHECKOUT)).toEqual([])
  })

  test.each([
    ['active', 'Manage plan: Professional', { page: 'home' }],
    ['active', 'Upgrade: Business', { page: 'change', tier: 'business' }],
    ['past_due', 'Update card: Professional', { page: 'card' }],
    ['ending', 'Keep this plan: Professional', { page: 'home' }],
  ] as const)('whose plan is %s opens the portal in a new tab by “%s”', async (standing, name, page) => {
    const { open, tab } = stubTab()
    const api = await openFor({ ...BOUGHT, standing }, { [PORTAL]: { url: 'https://pay.example/p/1' } })
    await press(name)
    await waitFor(() => expect(tab.location.replace.mock.calls).toEqual([['https://pay.example/p/1']]))
    expect(open).toHaveBeenCalledTimes(1)
    expect(tab.opener).toBeNull()
    expect(api.to(PORTAL).map(({ body }) => body)).toEqual([page])
  })

  test('goes to the portal in this tab where the browser opens none', async () => {
    stubTab(null)
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    await openFor(BOUGHT, { [PORTAL]: { url: 'https://pay.example/p/1' } })
    await press('Manage plan: Professional')
    await waitFor(() => expect(leave.mock.calls).toEqual([['https://pay.example/p/1']]))
  })

  test('reads when the portal does not open, and the empty tab is closed', async () => {
    const { tab } = stubTab()
    await openFor(BOUGHT, { [PORTAL]: errorResponse('subscription.portal_failed') })
    await press('Manage plan: Professional')
    expect(await screen.findByText(PROBLEMS['subscription.portal_failed'].title)).toBeDefined()
    expect(tab.close).toHaveBeenCalledTimes(1)
  })

  test('sees what has changed when they come back from the portal', async () => {
    const { tab } = stubTab()
    const api = await openFor(BOUGHT, {
      [PORTAL]: { url: 'https://pay.example/p/1' },
      [REFRESH]: makeSubscription({ ...BOUGHT, subscription_tier: 'Business' }),
    })
    await press('Upgrade: Business')
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalled())
    fireEvent.focus(window)
    expect(await screen.findByRole('button', { name: 'Manage plan: Business' })).toBeDefined()
    fireEvent.focus(window)
    expect(api.to(REFRESH)).toHaveLength(1)
  })

  test('reads what a smaller plan does before the change', async () => {
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    await openFor({ ...BOUGHT, subscription_tier: 'Business' })
    await press('Change to this plan: Professional')
    await press('Change to this plan: Free')
    expect(leave.mock.calls).toEqual([
      ['/profile?tab=subscription&plan=professional'],
      ['/profile?tab=subscription&plan=free'],
    ])
  })

  test.each([
    [{}, 'Your plan', 'The next payment is €9.99 on December 24, 2026.'],
    [
      { standing: 'past_due', past_due_since: '2026-11-20T12:00:00Z' },
      'Payment failed',
      /^The payment was declined on November 20, 2026\./,
    ],
    [
      { standing: 'ending', subscription_end: '2026-12-24T12:00:00Z', next_tier: 'Free' },
      'Ends Dec 24',
      /^You won’t be charged again\./,
    ],
    [
      { standing: 'unpaid', subscription_end: '2026-12-24T12:00:00Z', next_tier: 'Free' },
      'Payment failed',
      /Subscribe again to keep it\.$/,
    ],
  ] as const)('sees how the plan stands: %j', async (over, badge, sentence) => {
    await openFor({ ...BOUGHT, ...over })
    const [card] = screen.getAllByRole('listitem', { current: true })
    expect(within(card as HTMLElement).getByText(badge, { selector: 'span' })).toBeDefined()
    expect(screen.getByText(sentence)).toBeDefined()
  })

  test('whose payments failed for good can subscribe again', async () => {
    const leave = vi.spyOn(location, 'assign').mockReturnValue()
    const unpaid = {
      standing: 'unpaid',
      subscription_end: '2026-12-24T12:00:00Z',
      next_tier: 'Free',
    } as const
    await openFor(
      { ...BOUGHT, ...unpaid },
      { [CHECKOUT]: { kind: 'portal', url: 'https://pay.example/p/2' } },
    )
    await press('Subscribe: Professional')
    await waitFor(() => expect(leave.mock.calls).toEqual([['https://pay.example/p/2']]))
  })

  test('sees which plan follows', async () => {
    await openFor({
      ...BOUGHT,
      standing: 'ending',
      subscription_end: '2026-12-24T12:00:00Z',
      next_tier: 'Free',
    })
    expect(screen.getByText('From Dec 24').closest('li')?.textContent).toContain('Free')
    await press('Your next plan: Free')
    expect(screen.getByRole('status').textContent).toContain('This plan starts when your current one ends')
  })
})

test('where the plan cannot be read, none is marked and the buttons still answer', async () => {
  const leave = vi.spyOn(location, 'assign').mockReturnValue()
  const api = stubApi({
    [READ]: errorResponse('server.unexpected'),
    [CHECKOUT]: { kind: 'portal', url: 'https://pay.example/p/1' },
  })
  renderWithToasts(makeOwner())
  await waitFor(() => expect(api.to(READ)).toHaveLength(1))
  expect(screen.queryAllByText('Your plan')).toEqual([])
  await press('Subscribe: Business')
  await waitFor(() => expect(leave).toHaveBeenCalledWith('https://pay.example/p/1'))
})

test('the plan of an owner is marked once it is known, and no other one before or after', async () => {
  const held = heldResponse(
    makeSubscription({ subscribed: true, subscription_tier: 'Business', standing: 'given' }),
  )
  stubApi({ [READ]: held.answer })
  render(<PricingPage owner={makeOwner()} site={SITE} />)
  expect(screen.queryAllByText('Your plan')).toEqual([])
  held.release()
  const badge = await screen.findByText('Your plan', { selector: 'span' })
  const marked = screen.getAllByRole('listitem', { current: true })
  expect(marked).toEqual([badge.closest('li')])
  // Owners do not see "Open now": they already know that they can use the default plan.
  expect(screen.queryByText('Open now')).toBeNull()
  expect(within(marked[0] as HTMLElement).getByRole('button', { name: 'Your plan: Business' })).toBeTruthy()
})
