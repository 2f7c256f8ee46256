// @vitest-environment happy-dom
import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { PLANS } from '#core/plans/plan.ts'
import { makeSubscription } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { stubTab } from '#web/testing/stub-tab.ts'
import { SubscriptionPanel } from './subscription-panel.tsx'
import type { SelectableTier } from './subscription-query.ts'

const READ = 'GET /api/subscription'
const REFRESH = 'POST /api/subscription/refresh'
const INVOICES = 'GET /api/subscription/invoices'
const PORTAL = 'POST /api/subscription/portal'
const EFFECT = 'GET /api/subscription/effect'
const CHOOSE = 'PUT /api/subscription/open-calendars'

test('without a subscription the badge says Free, and the way to the plans is there', async () => {
  openPanel(makeSubscription(), 1)
  expect(await screen.findByText('Free')).toBeDefined()
  expect(text()).toContain('1 of 1 calendar used')
  expect(text()).not.toContain('Coming soon, and included')
  expect(text()).not.toContain('branding')
  expect(screen.getByText('Protection against double bookings')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Compare plans' }).getAttribute('href')).toBe('/pricing')
})

test.each([
  ['professional', '2 of 3 calendars used', null, 'Custom branding'],
  ['business', '2 of 5 calendars used', 'priority support.', 'PayPal payments'],
  ['enterprise', '2 calendars, as many as you like', 'priority support.', 'PayPal payments'],
] as const)(
  'the %s plan says how much of it is used, what it gives, its own gifts first, and what it only promises',
  async (tier, used, promised, first) => {
    const { name, calendarLimit, features, integrations } = PLANS[tier]
    openPanel(
      makeSubscription({
        subscribed: true,
        subscription_tier: name,
        standing: 'given',
        subscription_end: '2026-12-24T12:00:00Z',
        limits: { calendars: calendarLimit, features: [...features], integrations: [...integrations] },
      }),
      2,
    )
    expect(await screen.findByText(name)).toBeDefined()
    expect(text()).toContain(used)
    expect(screen.getByText('It’s yours until December 24, 2026.')).toBeDefined()
    if (promised === null) expect(text()).not.toContain('Coming soon, and included')
    else expect(text()).toContain(`Coming soon, and included when ready: ${promised}`)
    expect(screen.getByText('Custom domains')).toBeDefined()
    expect(screen.getAllByRole('listitem')[0]?.textContent).toBe(first)
  },
)

test('refreshed, it shows what the server says now; pressed twice, it asks once', async () => {
  const { user, api } = openPanel(makeSubscription(), 1)
  const button = await screen.findByRole('button', { name: 'Refresh' })
  const held = heldResponse(makeSubscription({ subscribed: true, subscription_tier: 'Business' }))
  api.answer(REFRESH, held.answer)
  await user.click(button)
  await user.click(await screen.findByRole('button', { name: 'Refreshing...' }))
  held.release()
  expect(await screen.findByText('Subscription status refreshed')).toBeDefined()
  expect(screen.getByText('Business')).toBeDefined()
  expect(api.to(REFRESH)).toHaveLength(1)
})

test.each([
  [PROBLEMS['subscription.refresh_failed'].title, 'server.unavailable'],
  [PROBLEMS['subscription.refresh_failed'].title, 'subscription.refresh_failed'],
  ['Please log in to refresh subscription status', 'auth.required'],
] as const)('%s: what is known stays', async (sentence, code) => {
  const { user, api } = openPanel(makeSubscription(), 1)
  const button = await screen.findByRole('button', { name: 'Refresh' })
  api.answer(REFRESH, errorResponse(code))
  await user.click(button)
  expect(await screen.findByText(sentence)).toBeDefined()
  expect(screen.getByText('Free')).toBeDefined()
})

test('shows an error when loading fails, and can be retried', async () => {
  const { user, api } = openPanel(errorResponse('auth.required'), undefined)
  expect(screen.getByText('Loading your subscription...')).toBeDefined()
  expect(await screen.findByText('Failed to load your subscription')).toBeDefined()
  api.answer(READ, makeSubscription())
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('Free')).toBeDefined()
})

const END = '2026-12-24T12:00:00Z'
const BOUGHT = {
  subscribed: true,
  subscription_tier: 'Business' as const,
  standing: 'active' as const,
  can_manage: true,
  next_charge: { amount_cents: 1999, currency: 'eur', at: END },
  limits: { calendars: 5, integrations: ['paypal'], features: [] },
} satisfies Partial<SubscriptionResponse>

describe('a plan that is paid for', () => {
  test('says what is paid, how much and when next, and leads to its management in a new tab', async () => {
    const { tab } = stubTab()
    const { user, api } = openPanel(makeSubscription(BOUGHT), 2)
    expect(await screen.findByText('The next payment is €19.99 on December 24, 2026.')).toBeDefined()
    api.answer(PORTAL, { url: 'https://pay.example/p/1' })
    await user.click(screen.getByRole('button', { name: 'Manage subscription' }))
    await waitFor(() => expect(tab.location.replace.mock.calls).toEqual([['https://pay.example/p/1']]))
    expect(api.to(PORTAL).map(({ body }) => body)).toEqual([{ page: 'home' }])
  })

  test('whose management does not open says so, and closes the empty tab', async () => {
    const { tab } = stubTab()
    const { user } = openPanel(makeSubscription(BOUGHT), 2)
    await user.click(await screen.findByRole('button', { name: 'Manage subscription' }))
    expect(await screen.findByText('Failed to open subscription management')).toBeDefined()
    expect(tab.close).toHaveBeenCalledTimes(1)
  })

  test('has nothing to manage where nothing was bought', async () => {
    openPanel(makeSubscription({ subscribed: true, subscription_tier: 'Business', standing: 'given' }), 1)
    await screen.findByText('Business')
    expect(screen.queryByRole('button', { name: 'Manage subscription' })).toBeNull()
    expect(screen.queryByRole('heading', { name: 'Invoices' })).toBeNull()
  })

  test('back from the portal it shows what has changed there', async () => {
    const { tab } = stubTab()
    const { user, api } = openPanel(makeSubscription(BOUGHT), 2)
    api.answer(PORTAL, { url: 'https://pay.example/p/1' })
    const ended = { standing: 'ending', next_charge: null, subscription_end: END, next_tier: 'Free' } as const
    api.answer(REFRESH, makeSubscription({ ...BOUGHT, ...ended }))
    await user.click(await screen.findByRole('button', { name: 'Manage subscription' }))
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalled())
    window.dispatchEvent(new Event('focus'))
    expect(await screen.findByText('Your Business plan ends on December 24, 2026')).toBeDefined()
    expect(screen.queryByRole('button', { name: 'End plan' })).toBeNull()
  })

  test.each([
    ['past_due', 'Update card', 'card'],
    ['ending', 'Keep this plan', 'home'],
  ] as const)('that is %s leads to what helps: %s', async (standing, name, page) => {
    const { tab } = stubTab()
    const { user, api } = openPanel(makeSubscription({ ...BOUGHT, standing }), 2)
    api.answer(PORTAL, { url: 'https://pay.example/p/1' })
    await user.click(await screen.findByRole('button', { name }))
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalled())
    expect(api.to(PORTAL).map(({ body }) => body)).toEqual([{ page }])
  })

  test('that could not be paid for good is bought again', async () => {
    openPanel(makeSubscription({ ...BOUGHT, standing: 'unpaid', subscription_end: END }), 2)
    const again = await screen.findByRole('link', { name: 'Subscribe again' })
    expect(again.getAttribute('href')).toBe('/pricing?plan=business')
  })
})

describe('the invoices', () => {
  const INVOICE = {
    id: 'in_1',
    number: 'MER-0001',
    issued_at: '2026-11-24T12:00:00Z',
    amount_cents: 1999,
    currency: 'eur',
    status: 'paid',
    url: 'https://pay.example/i/1',
  }

  test('are a list with the way to each', async () => {
    openPanel(makeSubscription(BOUGHT), 2, {
      invoices: [INVOICE, { ...INVOICE, id: 'in_2', number: null, status: 'open', url: null }],
    })
    const [, first, second] = await screen.findAllByRole('row')
    expect(first?.textContent).toMatch(/Nov 24, 2026MER-0001.*€19\.99Paid/)
    expect(second?.textContent).toMatch(/Not numbered yet€19\.99Due/)
    const link = screen.getByRole('link', { name: /MER-0001/ })
    expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([INVOICE.url, '_blank'])
  })

  test('may not be there yet', async () => {
    openPanel(makeSubscription(BOUGHT), 2)
    expect(await screen.findByText('There are no invoices yet.')).toBeDefined()
  })

  test('that cannot be loaded are asked for again', async () => {
    const { user, api } = openPanel(makeSubscription(BOUGHT), 2, errorResponse('request.too_many'))
    expect(await screen.findByText('Loading your invoices...')).toBeDefined()
    expect(await screen.findByText('Failed to load your invoices')).toBeDefined()
    api.answer(INVOICES, { invoices: [INVOICE] })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Paid')).toBeDefined()
  })
})

const calendar = (number: number, over = {}) => ({
  id: `00000000-0000-4000-8000-00000000010${number}`,
  name: `Practice ${number}`,
  upcoming_appointments: number,
  stays_open: number === 1,
  is_paused: number !== 1,
  ...over,
})
const THREE_CALENDARS = [calendar(1), calendar(2), calendar(3)]

describe('before a smaller plan', () => {
  const effect = {
    calendar_limit: 1,
    calendars: THREE_CALENDARS,
    inactive: ['paypal', 'custom_domains'],
    choice_locked_until: null,
  }

  test('the owner reads what it does, chooses, and goes on to the portal', async () => {
    const { tab } = stubTab()
    const { user, api } = openPanel(makeSubscription(BOUGHT), 3)
    api.answer(EFFECT, effect)
    api.answer(CHOOSE, undefined)
    api.answer(PORTAL, { url: 'https://pay.example/p/1' })
    await user.click(await screen.findByRole('button', { name: 'End plan' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'End the Business plan?' }))
    expect(await dialog.findByText(/^The Free plan allows 1 calendar, and you have 3\./)).toBeDefined()
    const paused = () => dialog.getAllByRole('listitem').map(({ textContent }) => textContent)
    expect(paused()).toEqual([
      'Practice 2: 2 upcoming appointments',
      'Practice 3: 3 upcoming appointments',
      'Payments by PayPal',
      'Your own domain',
    ])
    await user.click(dialog.getByRole('radio', { name: 'Practice 3' }))
    expect(paused().slice(0, 2)).toEqual([
      'Practice 1: 1 upcoming appointment',
      'Practice 2: 2 upcoming appointments',
    ])
    await user.click(dialog.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalled())
    expect(api.to(EFFECT).map(({ search }) => search.get('tier'))).toEqual(['free'])
    expect(api.to(CHOOSE).map(({ body }) => body)).toEqual([{ calendar_ids: [calendar(3).id] }])
    expect(api.to(PORTAL).map(({ body }) => body)).toEqual([{ page: 'cancel' }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('a choice that the server refuses is told, and nothing is ended', async () => {
    const { tab } = stubTab()
    const { user, api } = openPanel(makeSubscription(BOUGHT), 3)
    api.answer(EFFECT, effect)
    api.answer(CHOOSE, errorResponse('subscription.choice_locked'))
    await user.click(await screen.findByRole('button', { name: 'End plan' }))
    await user.click(await screen.findByRole('button', { name: 'Continue' }))
    expect(await screen.findByText(PROBLEMS['subscription.choice_locked'].title)).toBeDefined()
    expect(api.to(PORTAL)).toEqual([])
    expect(tab.close).toHaveBeenCalledTimes(1)
    expect(screen.getByRole('dialog')).toBeDefined()
  })

  test('where all calendars fit, nothing has to be chosen', async () => {
    const { tab } = stubTab()
    const { user, api } = openPanel(makeSubscription(BOUGHT), 3, NO_INVOICES, 'professional', {
      [EFFECT]: { ...effect, calendar_limit: 3, inactive: [] },
      [PORTAL]: { url: 'https://pay.example/p/1' },
    })
    expect(await screen.findByRole('dialog', { name: 'Change to the Professional plan?' })).toBeDefined()
    expect(await screen.findByText('All your calendars stay open.')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await waitFor(() => expect(tab.location.replace).toHaveBeenCalled())
    expect(api.to(CHOOSE)).toEqual([])
    expect(api.to(PORTAL).map(({ body }) => body)).toEqual([{ page: 'change', tier: 'professional' }])
  })

  test('what cannot be loaded is asked for again, and nothing is ended before it is read', async () => {
    const { user, api } = openPanel(makeSubscription(BOUGHT), 3, NO_INVOICES, 'free', {
      [EFFECT]: errorResponse('request.too_many'),
    })
    expect(await screen.findByText('Loading what changes...')).toBeDefined()
    expect(await screen.findByText('Failed to load what changes')).toBeDefined()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Continue' }).disabled).toBe(true)
    api.answer(EFFECT, effect)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText(/^The Free plan allows 1 calendar, and you have 3\./)).toBeDefined()
  })

  test('an address that asks for no smaller plan opens nothing', async () => {
    openPanel(makeSubscription(), 1, NO_INVOICES, 'business')
    await screen.findByText('Free')
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('while calendars are paused', () => {
  const paused = () =>
    makeSubscription({
      subscribed: true,
      subscription_tier: 'Professional',
      standing: 'given',
      paused_calendars: [{ id: calendar(4).id, name: 'Practice 4' }],
      limits: { calendars: 3, integrations: [], features: [] },
    })
  const effect = {
    calendar_limit: 3,
    calendars: [1, 2, 3, 4].map((number) => calendar(number, { stays_open: number < 4 })),
    inactive: [],
    choice_locked_until: null,
  }

  test('the owner chooses which stay open: no more than the plan allows', async () => {
    const { user, api } = openPanel(paused(), 4, NO_INVOICES, undefined, { [EFFECT]: effect })
    const fourth = await screen.findByRole('checkbox', { name: 'Practice 4' })
    expect((fourth as HTMLInputElement).disabled).toBe(true)
    expect(screen.getByText('3 of 3 chosen. To choose another one, deselect one first.')).toBeDefined()
    await user.click(screen.getByRole('checkbox', { name: 'Practice 1' }))
    await user.click(fourth)
    expect(screen.getByText('Practice 1: 1 upcoming appointment')).toBeDefined()
    api.answer(CHOOSE, undefined)
    await user.click(screen.getByRole('button', { name: 'Save choice' }))
    expect(
      await screen.findByText('Your choice has been saved. The other calendars are paused.'),
    ).toBeDefined()
    expect(api.to(CHOOSE).map(({ body }) => body)).toEqual([
      { calendar_ids: [calendar(2).id, calendar(3).id, calendar(4).id] },
    ])
    const tiers = new Set(api.to(EFFECT).map(({ search }) => search.get('tier')))
    expect([...tiers]).toEqual(['professional'])
  })

  test.each(['subscription.choice_locked', 'subscription.too_many_calendars', 'calendar.not_found'] as const)(
    'a refusal is told: %s',
    async (code) => {
      const { user, api } = openPanel(paused(), 4, NO_INVOICES, undefined, { [EFFECT]: effect })
      await user.click(await screen.findByRole('checkbox', { name: 'Practice 1' }))
      api.answer(CHOOSE, errorResponse(code))
      await user.click(screen.getByRole('button', { name: 'Save choice' }))
      expect(await screen.findByText(PROBLEMS[code].title)).toBeDefined()
    },
  )

  test('a choice that was changed lately says until when it stays', async () => {
    openPanel(paused(), 4, NO_INVOICES, undefined, {
      [EFFECT]: { ...effect, choice_locked_until: END },
    })
    expect(await screen.findByText(/You can change it again on December 24, 2026\./)).toBeDefined()
    expect(screen.queryByRole('checkbox')).toBeNull()
    expect(screen.queryByRole('button', { name: 'Save choice' })).toBeNull()
    expect(screen.getByText('Practice 4: 4 upcoming appointments')).toBeDefined()
    expect(text()).toContain('4 calendars, and 3 of them in your plan')
  })

  test('calendars that cannot be loaded are asked for again', async () => {
    const { user, api } = openPanel(paused(), 4, NO_INVOICES, undefined, {
      [EFFECT]: errorResponse('request.too_many'),
    })
    expect(await screen.findByText('Failed to load your calendars')).toBeDefined()
    api.answer(EFFECT, effect)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('checkbox', { name: 'Practice 4' })).toBeDefined()
  })
})

/** Returns the text of the page on one line. */
function text(): string {
  return document.body.textContent ?? ''
}

const NO_INVOICES = { invoices: [] }
const SITE = {
  default_plan: 'free',
  stripe: true,
  plans_for_sale: [
    { tier: 'professional', amount_cents: 999, currency: 'eur' },
    { tier: 'business', amount_cents: 1999, currency: 'eur' },
  ],
} as const

function openPanel(
  answer: unknown,
  calendarCount: number | undefined,
  invoices: unknown = NO_INVOICES,
  wanted?: SelectableTier,
  answers: Record<string, unknown> = {},
) {
  const api = stubApi({ [READ]: answer, [INVOICES]: invoices, ...answers })
  const { user } = renderComponent(<Panel calendarCount={calendarCount} wanted={wanted} />)
  return { user, api }
}

/** Renders the panel and stores the wanted plan, as the page does in its URL. */
function Panel({
  calendarCount,
  wanted: first,
}: {
  calendarCount: number | undefined
  wanted: SelectableTier | undefined
}) {
  const [wanted, setWanted] = useState(first)
  return <SubscriptionPanel calendarCount={calendarCount} site={SITE} wanted={wanted} onWant={setWanted} />
}
