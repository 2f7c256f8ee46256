// @vitest-environment happy-dom

import { screen, waitFor, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { AppointmentType } from '#contract/availability/appointment-types.ts'
import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import {
  CALENDAR_ID,
  makeAppointmentType,
  makeCalendar,
  makePaymentSettings,
  makeSubscription,
} from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { PaymentsPanel } from './payments-panel.tsx'

const PATH = `/api/calendars/${CALENDAR_ID}`
const READ = `GET ${PATH}/payment-settings`
const SAVE = `PATCH ${PATH}/payment-settings`
const TYPES = `GET ${PATH}/appointment-types`
const connection = (method: string, provider: string) =>
  `${method} ${PATH}/payment-providers/${provider}/connection`
const BUSINESS = makeSubscription({
  subscription_tier: 'Business',
  limits: { calendars: 5, integrations: ['stripe', 'paypal'], features: [] },
})
const INCOMPLETE = PROBLEMS['payment.paypal_incomplete'].title
const APP = { paypal_client_id: 'client', paypal_redirect_uri: 'https://meridian.example/back' }

test('one press connects the account of another calendar, and the focus stays in its card', async () => {
  const source = '00000000-0000-4000-8000-000000000102'
  const REUSE = connection('PUT', 'stripe')
  const { user, api } = open({
    reusable_accounts: [
      { provider: 'stripe', calendar_id: source, calendar_name: 'Harbour Practice', account: 'acct_1' },
    ],
  })
  api.answer(REUSE, errorResponse('payment.account_unavailable'))
  await user.click(await screen.findByRole('button', { name: 'Use the account of Harbour Practice' }))
  const refusal = `Failed to connect Stripe: ${PROBLEMS['payment.account_unavailable'].title}`
  expect(await screen.findByText(refusal)).toBeDefined()
  api.answer(REUSE, makePaymentSettings({ stripe_connected: true, stripe_account_id: 'acct_1' }))
  await user.click(screen.getByRole('button', { name: 'Use the account of Harbour Practice' }))
  expect(await screen.findByText('Stripe account connected successfully!')).toBeDefined()
  const disconnect = await screen.findByRole('button', { name: 'Disconnect Stripe' })
  await waitFor(() => expect(document.activeElement).toBe(disconnect))
  expect(api.to(REUSE).map(({ body }) => body)).toEqual([{ calendar_id: source }, { calendar_id: source }])
})

test('one button saves everything in the tab, all of it in one request', async () => {
  const { user, api } = open({ payment_enabled: false })
  const toggle = await screen.findByRole('switch', { name: 'Enable payment for appointments' })
  expect(screen.queryByRole('heading', { name: 'Stripe' })).toBeNull()
  expect(screen.queryByRole('switch', { name: 'Require payment when booking' })).toBeNull()
  await user.click(toggle)
  for (const name of ['Stripe', 'PayPal']) expect(screen.getByRole('heading', { name })).toBeDefined()
  // Turning a switch on does not save anything yet.
  expect(api.to(SAVE)).toEqual([])
  await user.click(screen.getByRole('switch', { name: 'Require payment when booking' }))
  await enterText(user, screen.getByLabelText(/^Client ID/), 'client')
  api.answer(SAVE, makePaymentSettings({ payment_required: false, paypal_client_id: 'client' }))
  await user.click(screen.getByRole('button', { name: 'Save Payment Settings' }))
  expect(await screen.findByText('Payment settings updated successfully')).toBeDefined()
  expect(api.to(SAVE).map(({ body }) => body)).toEqual([
    {
      payment_enabled: true,
      payment_required: false,
      paypal_client_id: 'client',
      paypal_redirect_uri: makePaymentSettings().paypal_callback_url,
      was: {
        payment_enabled: false,
        payment_required: true,
        paypal_client_id: '',
        paypal_redirect_uri: '',
      },
    },
  ])
})

test('what was not saved says so and stays as it was chosen', async () => {
  const { user, api } = open({ payment_enabled: false })
  api.answer(SAVE, errorResponse('server.unexpected'))
  const toggle = await screen.findByRole<HTMLInputElement>('switch', { name: /^Enable payment/ })
  await user.click(toggle)
  await user.click(screen.getByRole('button', { name: 'Save Payment Settings' }))
  expect(
    await screen.findByText('Failed to update payment settings: Something went wrong. Please try again.'),
  ).toBeDefined()
  expect(toggle.checked).toBe(true)
})

test('what is connected can be seen and disconnected while payment is off', async () => {
  open({ payment_enabled: false, stripe_connected: true, stripe_account_id: 'acct_1' })
  expect(await screen.findByText('acct_1')).toBeDefined()
  expect(screen.getByText('Customers book without paying online.')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Disconnect Stripe' })).toBeDefined()
  expect(screen.queryByRole('heading', { name: 'PayPal' })).toBeNull()
})

test('connecting leads to the provider in a new tab that cannot reach back', async () => {
  const tab = makeTab()
  const { user, api } = open()
  api.answer(connection('POST', 'stripe'), { url: 'https://connect.example/1' })
  await user.click(await screen.findByRole('button', { name: 'Connect Stripe' }))
  expect(await screen.findByText('Redirecting to Stripe Connect...')).toBeDefined()
  expect(tab.location.replace).toHaveBeenCalledWith('https://connect.example/1')
  expect(tab.opener).toBeNull()
})

test('a browser that opens no tab goes to the provider in this one', async () => {
  vi.stubGlobal('open', () => null)
  const leave = vi.spyOn(location, 'assign').mockReturnValue()
  const { user, api } = open()
  api.answer(connection('POST', 'stripe'), { url: 'https://connect.example/1' })
  await user.click(await screen.findByRole('button', { name: 'Connect Stripe' }))
  await waitFor(() => expect(leave).toHaveBeenCalledWith('https://connect.example/1'))
})

test('the account that was connected in the other tab is seen on coming back', async () => {
  const { api } = open()
  await screen.findByRole('button', { name: 'Connect Stripe' })
  api.answer(READ, makePaymentSettings({ stripe_connected: true, stripe_account_id: 'acct_1' }))
  window.dispatchEvent(new Event('visibilitychange'))
  expect(await screen.findByText('acct_1')).toBeDefined()
})

test.each([
  ['stripe', 'Stripe'],
  ['paypal', 'PayPal'],
] as const)('a connection to %s that cannot begin says why and closes its tab', async (provider, name) => {
  const tab = makeTab()
  const { user, api } = open(APP)
  api.answer(connection('POST', provider), errorResponse('payment.provider_not_offered'))
  await user.click(await screen.findByRole('button', { name: `Connect ${name}` }))
  const sentence = `Failed to connect ${name}: This payment provider isn’t available on this site.`
  expect(await screen.findByText(sentence)).toBeDefined()
  expect(tab.close).toHaveBeenCalledTimes(1)
})

test('PayPal is connected only with fields that are saved', async () => {
  const tab = makeTab()
  const { user, api } = open()
  api.answer(connection('POST', 'paypal'), { url: 'https://connect.example/2' })
  const connect = await screen.findByRole('button', { name: 'Connect PayPal' })
  await user.click(connect)
  expect(await screen.findByText(INCOMPLETE)).toBeDefined()
  await enterText(user, screen.getByLabelText(/^Client ID/), 'client')
  await user.click(connect)
  expect(api.to(connection('POST', 'paypal'))).toHaveLength(0)
  api.answer(SAVE, makePaymentSettings(APP))
  await user.click(screen.getByRole('button', { name: 'Save Payment Settings' }))
  await screen.findByText('Payment settings updated successfully')
  // The form had filled in the redirect URI, and saves it together with the client id.
  const { paypal_callback_url } = makePaymentSettings()
  expect(api.to(SAVE)[0]?.body).toMatchObject({
    paypal_client_id: 'client',
    paypal_redirect_uri: paypal_callback_url,
  })
  await user.click(connect)
  expect(await screen.findByText('Redirecting to PayPal Connect...')).toBeDefined()
  expect(tab.location.replace).toHaveBeenCalledWith('https://connect.example/2')
})

test('the secret is written and replaced, never shown, and only what was changed is sent', async () => {
  const { user, api } = open({ ...APP, has_paypal_client_secret: true })
  expect(await screen.findByText('A secret is stored')).toBeDefined()
  expect(screen.queryByLabelText(/^Client Secret/)).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Replace Client Secret' }))
  expect(document.activeElement).toBe(screen.getByLabelText(/^Client Secret/))
  await user.keyboard('another')
  api.answer(SAVE, makePaymentSettings({ ...APP, has_paypal_client_secret: true }))
  await user.click(screen.getByRole('button', { name: 'Save Payment Settings' }))
  expect(await screen.findByText('A secret is stored')).toBeDefined()
  expect(api.to(SAVE).map(({ body }) => body)).toEqual([{ paypal_client_secret: 'another', was: {} }])
})

test('an address that is none is refused under its field, before and after the server was asked', async () => {
  const { user, api } = open()
  const sentence = PROBLEMS['payment.redirect_uri_invalid'].title
  const address = await screen.findByLabelText(/^Redirect URI/)
  const { paypal_callback_url } = makePaymentSettings()
  expect(address).toHaveProperty('value', paypal_callback_url)
  // The hint shows our redirect URI only if the field contains a different one.
  expect(screen.queryByText(paypal_callback_url)).toBeNull()
  await user.clear(address)
  await enterText(user, address, 'example.com')
  expect(screen.getByText(paypal_callback_url)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Save Payment Settings' }))
  expect(await screen.findByText(sentence)).toBeDefined()
  api.answer(SAVE, errorResponse('payment.not_in_plan'))
  await user.clear(address)
  await enterText(user, address, 'https://example.com')
  await user.click(screen.getByRole('button', { name: 'Save Payment Settings' }))
  const failed = 'Failed to update payment settings: This payment provider isn’t available on your plan.'
  expect(await screen.findByText(failed)).toBeDefined()
})

test('PayPal that is set up stays so on a plan without it, and is inactive', async () => {
  const plan = makeSubscription({ limits: { calendars: 1, integrations: ['stripe'], features: [] } })
  open({ paypal_connected: true, paypal_email: 'shop@example.org' }, plan)
  expect(await screen.findByText('PayPal is not available on the Free plan.')).toBeDefined()
  expect(screen.getByText('It stays set up, but is inactive until your plan includes it.')).toBeDefined()
  expect(screen.getByRole('button', { name: 'Disconnect PayPal' })).toBeDefined()
})

test('a plan without PayPal says so and offers the upgrade', async () => {
  const plan = makeSubscription({ limits: { calendars: 1, integrations: ['stripe'], features: [] } })
  open({}, plan)
  expect(await screen.findByText('PayPal is not available on the Free plan.')).toBeDefined()
  expect(screen.getByRole('link', { name: 'Upgrade Plan' }).getAttribute('href')).toBe('/pricing')
  expect(screen.queryByRole('button', { name: 'Connect PayPal' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Connect Stripe' })).toBeDefined()
})

test('a stand-in says that no real money moves, and a provider without keys that it is not there', async () => {
  open({ offered: ['paypal'], sandbox: ['paypal'] })
  expect(await screen.findByText('Stripe isn’t available on this site.')).toBeDefined()
  expect(screen.getAllByText('Sandbox: no real money moves')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Connect Stripe' })).toBeNull()
})

test('disconnecting asks first and says what ends', async () => {
  const types = [makeAppointmentType({ price: 40 }), makeAppointmentType({ id: 'free' })]
  const { user, api } = open({ stripe_connected: true, stripe_account_id: 'acct_1' }, BUSINESS, types)
  await user.click(await screen.findByRole('button', { name: 'Disconnect Stripe' }))
  const question = within(await screen.findByRole('alertdialog'))
  const sentence =
    'Customers will book without paying online. 1 appointment type keeps its price until you edit it, and you collect the money yourself.'
  expect(await question.findByText(sentence)).toBeDefined()
  api.answer(
    connection('DELETE', 'stripe'),
    errorResponse('payment.disconnect_failed', [
      { path: 'provider', message: 'Stripe did not answer in time.' },
    ]),
  )
  const confirm = question.getByRole('button', { name: 'Disconnect' })
  await user.click(confirm)
  expect(
    await screen.findByText(
      'Failed to disconnect Stripe: The payment provider didn’t respond. Please try again.',
    ),
  ).toBeDefined()
  expect(screen.getByText('Stripe did not answer in time.')).toBeDefined()
  api.answer(connection('DELETE', 'stripe'), undefined)
  api.answer(READ, makePaymentSettings())
  await user.click(confirm)
  expect(await screen.findByText('Stripe account disconnected')).toBeDefined()
  const connect = await screen.findByRole('button', { name: 'Connect Stripe' })
  await waitFor(() => expect(document.activeElement).toBe(connect))
})

test('while PayPal is connected its app stays as it is, and customers keep the other way to pay', async () => {
  const { user, api } = open({
    ...APP,
    stripe_connected: true,
    stripe_account_id: 'acct_1',
    paypal_connected: true,
    paypal_merchant_id: 'M1',
    paypal_email: 'grey@example.com',
  })
  expect(await screen.findByText('grey@example.com')).toBeDefined()
  expect(screen.getByLabelText<HTMLInputElement>(/^Client ID/).readOnly).toBe(true)
  await user.click(screen.getByRole('button', { name: 'Disconnect PayPal' }))
  const question = within(await screen.findByRole('alertdialog'))
  expect(question.getByText('Customers can then only pay with the other provider.')).toBeDefined()
  api.answer(connection('DELETE', 'paypal'), undefined)
  await user.click(question.getByRole('button', { name: 'Disconnect' }))
  expect(await screen.findByText('PayPal account disconnected')).toBeDefined()
})

function open(
  over: Partial<PaymentSettings> = {},
  subscription = BUSINESS,
  appointment_types: AppointmentType[] = [],
) {
  const settings = makePaymentSettings(over)
  const { stripe_connected, paypal_connected } = settings
  const api = stubApi({
    [READ]: settings,
    [TYPES]: { appointment_types, stripe_connected, paypal_connected },
  })
  const { user } = renderComponent(<PaymentsPanel calendar={makeCalendar()} subscription={subscription} />)
  return { user, api }
}

/** Replaces `window.open` with a stub that opens this tab. */
function makeTab() {
  const tab = { opener: window as unknown, close: vi.fn(), location: { replace: vi.fn() } }
  vi.stubGlobal('open', () => tab)
  return tab
}
