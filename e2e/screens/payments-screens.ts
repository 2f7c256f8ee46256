import type { Page } from '@playwright/test'
import { goToProvider } from '#e2e/support/connect.ts'
import { press, tab } from './calendar-tab.ts'
import { keepToast } from './keep-toast.ts'
import { onPlan } from './on-plan.ts'
import { awaited, type Screen } from './screen.ts'
import type { World } from './world.ts'

/** How a calendar is paid, and what it has earned. */
export const PAYMENTS_SCREENS: readonly Screen[] = [
  {
    name: 'payments-off',
    path: tab('payments', 'empty'),
    as: 'beginner',
    sees: 'Enable payment for appointments',
  },
  { name: 'payments-on', path: tab('payments', 'unconnected'), as: 'demo', sees: 'Connect Stripe' },
  { name: 'payments-connected', path: tab('payments', 'paid'), as: 'demo', sees: 'Connected as' },
  {
    name: 'payments-disconnect',
    path: tab('payments', 'paid'),
    as: 'demo',
    does: press(/^Disconnect/),
    sees: /Disconnect Stripe/,
  },
  {
    name: 'payments-not-in-plan',
    path: tab('payments', 'unconnected'),
    as: 'demo',
    answers: { '**/api/subscription': onPlan('Free') },
    sees: 'PayPal is not available on the Free plan.',
  },
  ...awaited({ name: 'payments', path: tab('payments', 'paid'), as: 'demo' }, ['**/payment-settings'], {
    loading: 'Loading payment settings...',
    failed: 'Failed to load payment settings',
  }),
  { name: 'connect-at-stripe', path: '/', as: 'demo', does: goToStripe, sees: 'Allow access' },
  {
    name: 'connect-loading',
    isPageless: true,
    path: '/stripe-connect-callback?code=any&state=any',
    as: 'demo',
    only: 'phone',
    answers: { '**/api/payment-connections': 'never' },
    sees: 'Connecting your Stripe account...',
  },
  {
    name: 'connect-failed',
    path: '/stripe-connect-callback?code=any&state=any',
    as: 'demo',
    answers: { '**/api/payment-connections': 'payment.connect_failed' },
    complains: /502/,
    fails: true,
    does: keepToast,
    sees: 'Failed to connect Stripe account',
  },
  { name: 'transactions', path: tab('transactions', 'paid'), as: 'demo', sees: 'Money overview' },
  { name: 'transactions-by-hand', path: tab('transactions', 'demo'), as: 'demo', sees: 'Mary Somerville' },
  {
    name: 'transactions-empty',
    path: tab('transactions', 'empty'),
    as: 'beginner',
    sees: 'No Transactions Yet',
  },
  ...awaited(
    {
      name: 'transactions',
      path: tab('transactions', 'paid'),
      as: 'demo',
      complains: /500|Loading the payment transactions failed/,
    },
    ['**/transactions?*', '**/money'],
    {
      loading: ['Loading the overview...', 'Loading transactions...'],
      failed: ['Failed to load the overview', 'Error loading payment transactions. Please try again.'],
    },
  ),
]

/** The stand-in's page on which an owner connects an account. */
async function goToStripe(page: Page, { calendars }: World): Promise<void> {
  await goToProvider(page, calendars.demo, 'stripe')
}
