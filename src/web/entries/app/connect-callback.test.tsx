// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CALENDAR_ID, makePaymentSettings } from '#web/testing/make-records.ts'
import { LOGGED_IN_RESPONSE, LOGGED_OUT_RESPONSE } from '#web/testing/server-answers.ts'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { renderApp } from './testing/render-app.tsx'

const CONNECT = 'POST /api/payment-connections'

test.each([
  ['stripe', '?error=access_denied&state=s', 'Stripe connection cancelled or failed'],
  ['paypal', '?error=access_denied', 'PayPal connection cancelled or failed'],
  ['stripe', '?code=c', 'Invalid callback from Stripe'],
  ['paypal', '?state=s', 'Invalid callback from PayPal'],
])('back from %s with %s: “%s”, and on to the dashboard', async (provider, query, sentence) => {
  const api = stubApi(LOGGED_IN_RESPONSE)
  const { router } = renderApp(`/${provider}-connect-callback${query}`)
  expect(await screen.findByText(sentence)).toBeDefined()
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'))
  expect(api.to(CONNECT)).toHaveLength(0)
})

test.each([
  ['stripe', 'payment.connect_failed', 'Failed to connect Stripe account'],
  ['paypal', 'payment.connect_failed', 'Failed to connect PayPal account'],
  ['stripe', 'payment.callback_invalid', 'Invalid callback from Stripe'],
] as const)('%s refused with %s: “%s”, and on to the dashboard', async (provider, code, sentence) => {
  const words = { path: 'provider', message: 'This authorization code has expired.' }
  stubApi({ ...LOGGED_IN_RESPONSE, [CONNECT]: errorResponse(code, [words]) })
  const { router } = renderApp(`/${provider}-connect-callback?code=c&state=s`)
  expect(await screen.findByText(sentence)).toBeDefined()
  const isFailed = code === 'payment.connect_failed'
  expect(screen.queryByText(words.message) !== null).toBe(isFailed)
  await waitFor(() => expect(router.state.location.pathname).toBe('/dashboard'))
})

test.each([
  ['stripe', 'Stripe account connected successfully!'],
  ['paypal', 'PayPal account connected successfully!'],
])('back from %s the account is connected, once, and the settings open', async (provider, sentence) => {
  const api = stubApi({
    ...LOGGED_IN_RESPONSE,
    [CONNECT]: { calendar_id: CALENDAR_ID, provider },
    [`GET /api/calendars/${CALENDAR_ID}/payment-settings`]: makePaymentSettings(),
  })
  const { router } = renderApp(`/${provider}-connect-callback?code=c&state=s`)
  expect(await screen.findByText(sentence)).toBeDefined()
  await waitFor(() =>
    expect(router.state.location.href).toBe(`/calendar/${CALENDAR_ID}/settings?tab=payments`),
  )
  expect(api.to(CONNECT).map(({ body }) => body)).toEqual([{ provider, code: 'c', state: 's' }])
})

test('who is not logged in comes back to it after the login', async () => {
  stubApi(LOGGED_OUT_RESPONSE)
  const { router } = renderApp('/stripe-connect-callback?code=c&state=s')
  await screen.findByLabelText(/^Password/)
  const { redirect = '' } = router.state.location.search
  const { pathname, searchParams } = new URL(redirect, 'https://meridian.example')
  expect([pathname, searchParams.get('code'), searchParams.get('state')]).toEqual([
    '/stripe-connect-callback',
    'c',
    's',
  ])
})
