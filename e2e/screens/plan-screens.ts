import { expect, type Page } from '@playwright/test'
import type { BookingPageData, SitePageData } from '#contract/page-data.ts'
import { PROBLEMS } from '#contract/problem.ts'
import type { SubscriptionResponse } from '#contract/subscription.ts'
import { answerWith } from './answers.ts'
import { keepToast } from './keep-toast.ts'
import { onPlan } from './on-plan.ts'
import { effectOf, IN_A_MONTH, pausedAnswers, planAnswers } from './plan-states.ts'
import { awaited, type Screen } from './screen.ts'
import { withPageData } from './with-page-data.ts'
import type { World } from './world.ts'

const PRICING = '/pricing'
const SUBSCRIPTION = '/profile?tab=subscription'
const FREE = { '**/api/subscription': onPlan('Free') }

/** Buying, changing and ending a plan. */
export const PLAN_SCREENS: readonly Screen[] = [
  { name: 'pricing', path: PRICING, does: waitForPrices, sees: 'Enterprise' },
  { name: 'pricing-nothing-sold', path: PRICING, does: withoutPrices, sees: /sells no larger ones/ },
  {
    name: 'pricing-free',
    path: PRICING,
    as: 'newcomer',
    answers: FREE,
    does: waitForPrices,
    sees: 'Your plan',
  },
  {
    name: 'pricing-given',
    path: PRICING,
    as: 'demo',
    answers: { '**/api/subscription': asGiven },
    does: waitForPrices,
    sees: 'At no charge for you',
  },
  ...(
    [
      ['active', 'Manage plan'],
      ['changing', 'Your next plan'],
      ['pastDue', 'Payment failed'],
      ['ending', 'Keep this plan'],
      ['unpaid', 'Payment failed'],
    ] as const
  ).map(
    ([state, sees]): Screen => ({
      name: `pricing-${state.toLowerCase().replace('pastdue', 'past-due')}`,
      path: PRICING,
      as: 'newcomer',
      answers: planAnswers(state),
      does: waitForPrices,
      sees,
    }),
  ),
  {
    name: 'pricing-log-in',
    path: PRICING,
    does: async (page) => {
      await waitForPrices(page)
      await page.getByRole('button', { name: 'Subscribe: Professional' }).click()
      await expect(page).toHaveURL(/\/login\?redirect=/)
      await keepToast(page)
    },
    sees: 'Please log in to subscribe',
  },
  {
    name: 'pricing-enterprise',
    path: PRICING,
    does: async (page) => {
      await page.getByRole('button', { name: 'Coming soon: Enterprise' }).click()
      await keepToast(page)
    },
    sees: 'This plan is coming soon! Stay tuned for updates.',
  },
  {
    name: 'pricing-checkout-failed',
    path: PRICING,
    as: 'newcomer',
    answers: { ...FREE, '**/api/subscription/checkout': 'subscription.checkout_failed' },
    complains: /502/,
    fails: true,
    does: async (page) => {
      await waitForPrices(page)
      await expect(page.getByText('Your plan').first()).toBeVisible()
      await page.getByRole('button', { name: 'Subscribe: Professional' }).click()
      await keepToast(page)
    },
    sees: PROBLEMS['subscription.checkout_failed'].title,
  },
  {
    name: 'checkout',
    path: PRICING,
    as: 'newcomer',
    does: goToCheckout,
    sees: 'Paid today and every month until you end it.',
  },
  {
    name: 'subscription-active',
    path: SUBSCRIPTION,
    as: 'demo',
    answers: planAnswers('active'),
    sees: 'MER-0001',
  },
  {
    name: 'subscription-changing',
    path: SUBSCRIPTION,
    as: 'demo',
    answers: planAnswers('changing'),
    sees: /you change to the Professional plan/,
  },
  {
    name: 'subscription-past-due',
    path: SUBSCRIPTION,
    as: 'demo',
    answers: planAnswers('pastDue'),
    sees: 'Update card',
  },
  {
    name: 'subscription-ending',
    path: SUBSCRIPTION,
    as: 'demo',
    answers: planAnswers('ending'),
    sees: 'Keep this plan',
  },
  {
    name: 'subscription-unpaid',
    path: SUBSCRIPTION,
    as: 'demo',
    answers: planAnswers('unpaid'),
    sees: 'Subscribe again',
  },
  {
    name: 'subscription-no-invoices',
    path: SUBSCRIPTION,
    as: 'demo',
    answers: { ...planAnswers('active'), '**/api/subscription/invoices': { json: { invoices: [] } } },
    sees: 'There are no invoices yet.',
  },
  ...awaited(
    { name: 'subscription-invoices', path: SUBSCRIPTION, as: 'demo', answers: planAnswers('active') },
    ['**/api/subscription/invoices'],
    { loading: 'Loading your invoices...', failed: 'Failed to load your invoices' },
  ),
  {
    name: 'subscription-paused',
    path: SUBSCRIPTION,
    as: 'demo',
    answers: pausedAnswers(),
    sees: 'Save choice',
  },
  {
    name: 'subscription-paused-locked',
    path: SUBSCRIPTION,
    as: 'demo',
    answers: pausedAnswers({ choice_locked_until: IN_A_MONTH }),
    sees: /^You have changed lately/,
  },
  ...awaited(
    { name: 'subscription-paused', path: SUBSCRIPTION, as: 'demo', answers: pausedAnswers() },
    ['**/api/subscription/effect*'],
    { loading: 'Loading your calendars...', failed: 'Failed to load your calendars' },
  ),
  {
    name: 'end-plan',
    path: SUBSCRIPTION,
    as: 'demo',
    answers: {
      ...planAnswers('active'),
      '**/api/subscription/effect*': {
        json: effectOf(1, { inactive: ['paypal', 'custom_branding', 'custom_domains'] }),
      },
    },
    does: endPlan,
    sees: 'Which calendars stay open?',
  },
  {
    name: 'change-plan',
    path: `${SUBSCRIPTION}&plan=professional`,
    as: 'demo',
    answers: {
      '**/api/subscription': (subscription: SubscriptionResponse) => ({
        ...onPlan('Business')(subscription),
        standing: 'active',
        can_manage: true,
      }),
      '**/api/subscription/effect*': { json: effectOf(3, { inactive: ['paypal'] }) },
    },
    sees: '3 of 3 chosen.',
  },
  ...awaited(
    {
      name: 'end-plan',
      path: SUBSCRIPTION,
      as: 'demo',
      answers: planAnswers('active'),
      does: endPlan,
    },
    ['**/api/subscription/effect*'],
    { loading: 'Loading what changes...', failed: 'Failed to load what changes' },
  ),
  {
    name: 'dashboard-past-due',
    path: '/dashboard',
    as: 'demo',
    answers: planAnswers('pastDue'),
    sees: 'Update card',
  },
  {
    name: 'dashboard-unpaid',
    path: '/dashboard',
    as: 'demo',
    answers: planAnswers('unpaid'),
    sees: 'Subscribe again',
  },
  {
    name: 'dashboard-ending',
    path: '/dashboard',
    as: 'demo',
    answers: planAnswers('ending'),
    sees: 'Keep this plan',
  },
  {
    name: 'dashboard-paused',
    path: '/dashboard',
    as: 'demo',
    does: pauseOthers,
    sees: ['3 calendars are paused', 'Paused'],
  },
  {
    name: 'settings-paused',
    path: ({ calendars }) => `/calendar/${calendars.plain.id}/settings`,
    as: 'demo',
    does: pauseOthers,
    sees: /so this one takes no new bookings/,
  },
  {
    name: 'booking-paused',
    path: ({ calendars }) => `/book/${calendars.plain.slug}`,
    does: pausePage,
    sees: 'This calendar takes no new bookings at the moment.',
  },
]

/** The prices reach the page a moment after the product has started. */
async function waitForPrices(page: Page): Promise<void> {
  const prices = page.getByText('per month')
  await expect(async () => {
    if ((await prices.count()) < 3) await page.reload()
    expect(await prices.count()).toBe(3)
  }).toPass()
}

async function withoutPrices(page: Page): Promise<void> {
  await withPageData<SitePageData>(page, (site) => ({ ...site, plans_for_sale: [] }))
}

async function pausePage(page: Page): Promise<void> {
  await withPageData<BookingPageData>(page, ({ calendar, ...rest }) => ({
    ...rest,
    calendar: calendar && { ...calendar, is_paused: true },
  }))
}

async function goToCheckout(page: Page): Promise<void> {
  await waitForPrices(page)
  await expect(page.getByText('Your plan').first()).toBeVisible()
  await page.getByRole('button', { name: 'Subscribe: Professional' }).click()
  await page.waitForURL(/\/c\/pay\//)
}

async function endPlan(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'End plan' }).click()
}

/** The operator has given the plan. */
function asGiven(subscription: SubscriptionResponse): SubscriptionResponse {
  return { ...onPlan('Business')(subscription), standing: 'given' }
}

/** All calendars but the first of the demo practice are more than the plan allows. */
async function pauseOthers(page: Page, { calendars }: World): Promise<void> {
  const paused_calendars = [calendars.paid, calendars.unconnected, calendars.plain].map(({ id, name }) => ({
    id,
    name,
  }))
  await answerWith(page, {
    '**/api/subscription': (subscription: SubscriptionResponse) => ({
      ...onPlan('Free')(subscription),
      standing: 'none',
      paused_calendars,
    }),
  })
  await page.reload()
}
