// @vitest-environment happy-dom

import { setTimeout as pause } from 'node:timers/promises'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { PublicPaymentProviders } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  CHECKOUT_URL,
  errorResponse,
  FakeBookingApi,
  HOLD_RELEASED_RESPONSE,
  makeBookingPageData,
  SAMPLE_APPOINTMENT,
  SAMPLE_CONSULTATION_TYPE,
} from '#tests/support/fake-booking-api.ts'
import {
  chooseAppointmentType,
  chooseTime,
  fillDetails,
  getFailure,
  getToastText,
  pasteIntoField,
  renderBookingPage,
} from '#tests/support/open-booking-page.tsx'

/** Time to wait for the page to save the draft, in milliseconds. The page saves it 300 ms after the last change. */
const KEEPING_MS = 500
const HOLD_PATH = `/api/public/appointments/${SAMPLE_APPOINTMENT.id}`
const STRIPE: PublicPaymentProviders = { stripe_connected: true, paypal_connected: false, note: null }
const BOTH: PublicPaymentProviders = { stripe_connected: true, paypal_connected: true, note: null }

let api: FakeBookingApi

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z'), toFake: ['Date'] })
  vi.stubEnv('TZ', 'Europe/London')
  history.replaceState(null, '')
  api = new FakeBookingApi()
  api.times = ['2026-11-24T09:00:00Z', '2026-11-24T09:30:00Z']
  api.overrides.set(HOLD_PATH, HOLD_RELEASED_RESPONSE)
  vi.stubGlobal('fetch', api.fetch)
  vi.spyOn(window, 'open').mockReturnValue(null)
  vi.spyOn(location, 'replace').mockImplementation(() => {})
})
test('the Enter key leads to the payment also while that part is still downloaded', async () => {
  open()
  await fillDetails()
  // Press Enter immediately, before the payment code has been downloaded.
  fireEvent.click(screen.getByRole('radio', { name: /Consultation/ }))
  fireEvent.keyDown(screen.getByLabelText(/Email Address/), { key: 'Enter' })
  const early = screen.getByRole('button', { name: 'Pay Now' })
  expect(early.getAttribute('aria-disabled')).toBe('true')
  expect(document.activeElement).toBe(early)
  const payNow = await button('Pay Now')
  expect(payNow).not.toBe(early)
  expect(document.activeElement).toBe(payNow)
})

test('the payment takes the focus from no field when it has been downloaded', async () => {
  open()
  fireEvent.click(screen.getByRole('radio', { name: /Consultation/ }))
  screen.getByLabelText(/Full Name/).focus()
  await button('Pay Now')
  expect(document.activeElement).toBe(screen.getByLabelText(/Full Name/))
})

test('in a narrow window the amount is above the button to pay, also before a time is chosen', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  open()
  await chooseAppointmentType('Consultation')
  const payNow = await button('Pay Now')
  const amount = screen.getAllByText('€60.00').at(-1)
  expect(amount?.tagName).toBe('P')
  expect(payNow.closest('form')?.contains(amount ?? null)).toBe(true)
})

test('the history of the tab keeps nothing of what was typed while its customer is away to pay', async () => {
  open()
  await chooseAppointmentType('Consultation')
  await chooseTime()
  await fillDetails()
  await waitFor(() => expect(history.state?.draft.name).toBe('Ada Lovelace'))
  await userEvent.click(await button('Pay Now'))
  await waitFor(() => expect(window.open).toHaveBeenCalled())
  await pause(KEEPING_MS)
  expect(history.state.draft).toBeNull()
  // The customer presses Back, and the browser restores the page from its cache.
  fireEvent(window, new Event('pageshow'))
  await waitFor(() => expect(history.state.draft?.name).toBe('Ada Lovelace'))
})

describe('a way to pay that moves no real money', () => {
  const NOTE = 'Sandbox: no real money moves'

  test('says so beside the button that leads to it', async () => {
    open({ ...STRIPE, note: NOTE })
    await chooseAppointmentType('Consultation')
    await button('Pay Now')
    expect(screen.getByText(NOTE)).toBeTruthy()
    await chooseAppointmentType('Video call')
    expect(screen.queryByText(NOTE)).toBeNull()
  })

  test('says so where a customer chooses between two', async () => {
    await openFilled({ ...BOTH, note: 'PayPal: sandbox, no real money moves' })
    await press('Pay Now')
    await screen.findByRole('heading', { name: 'How would you like to pay?' })
    expect(screen.getAllByText('PayPal: sandbox, no real money moves')).toHaveLength(1)
  })
})

describe('what costs money', () => {
  test('can be paid now or later, and what is free is just booked', async () => {
    open()
    await chooseAppointmentType('Consultation')
    expect(await button('Pay Now')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Book & Pay Later' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Book appointment' })).toBeNull()
    expect(screen.queryByText('Payment will be handled manually.')).toBeNull()
    await chooseAppointmentType('Video call')
    expect(screen.getByRole('button', { name: 'Book appointment' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Pay Now' })).toBeNull()
  })

  test.each([
    ['the calendar', { payment_required: true }, {}],
    ['the type', {}, { payment_required: true }],
  ])('cannot be paid later where %s requires payment', async (_who, calendar, type) => {
    open(STRIPE, { calendar, type })
    await chooseAppointmentType('Consultation')
    expect(await button('Pay Now')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Book & Pay Later' })).toBeNull()
  })

  test('is booked at once when it is paid later', async () => {
    await openFilled()
    await press('Book & Pay Later')
    expect(await screen.findByRole('heading', { name: 'Booking Confirmed!' })).toBeTruthy()
    expect(api.bookings).toHaveLength(1)
    expect(api.checkouts).toEqual([])
  })

  test('is not sent before all that is required is there', async () => {
    open(BOTH)
    await chooseAppointmentType('Consultation')
    await press('Pay Now')
    expect(getFailure()).toContain(PROBLEMS['booking.incomplete'].title)
    expect(screen.queryByText('How would you like to pay?')).toBeNull()
    expect(api.checkouts).toEqual([])
  })
})

describe('two providers', () => {
  test('are a choice, from which there is a way back', async () => {
    await openFilled(BOTH)
    await press('Pay Now')
    const heading = await screen.findByRole('heading', { name: 'How would you like to pay?' })
    expect(document.activeElement).toBe(heading)
    expect(await button('Credit Card')).toBeTruthy()
    expect(api.checkouts).toEqual([])
    await press('Back')
    expect(document.activeElement).toBe(await button('Pay Now'))
  })

  test.each([
    ['Credit Card', 'stripe'],
    ['PayPal', 'paypal'],
  ] as const)('%s is paid at %s', async (label, provider) => {
    await openFilled(BOTH)
    await press('Pay Now')
    await press(label)
    await waitFor(() => expect(window.open).toHaveBeenCalledWith(CHECKOUT_URL, '_top'))
    expect(api.checkouts[0]?.body.provider).toBe(provider)
  })

  test('the one that fails leaves the other, and its attempt is not sent again', async () => {
    api.refusals = [errorResponse('payment.initiation_failed')]
    await openFilled(BOTH)
    await press('Pay Now')
    await press('Credit Card')
    await waitFor(() => expect(getFailure()).toContain(PROBLEMS['payment.initiation_failed'].title))
    await press('PayPal')
    await waitFor(() => expect(window.open).toHaveBeenCalledWith(CHECKOUT_URL, '_top'))
    expect(api.checkouts.map(({ body }) => body.provider)).toEqual(['stripe', 'paypal'])
  })

  test('a hold whose answer was lost is given back before the other one is asked', async () => {
    api.refusals = ['offline']
    await openFilled(BOTH)
    await press('Pay Now')
    await press('Credit Card')
    await waitFor(() => expect(getFailure()).toMatch(/offline/))
    await press('PayPal')
    await waitFor(() => expect(window.open).toHaveBeenCalledTimes(1))
    expect(api.checkouts.map(({ body }) => body.provider)).toEqual(['stripe', 'stripe', 'paypal'])
    expect(api.checkouts[1]?.key).toBe(api.checkouts[0]?.key)
    expect(api.paths.filter((path) => path === HOLD_PATH)).toHaveLength(1)
  })
})

describe('Pay Now', () => {
  test('sends the booking with its provider, remembers the hold and goes to pay', async () => {
    await payNow()
    expect(api.checkouts[0]?.body).toEqual({
      appointment_type_id: SAMPLE_CONSULTATION_TYPE.id,
      starts_at: '2026-11-24T09:30:00Z',
      time_zone: 'Europe/London',
      title: 'Consultation',
      description: null,
      customer: { name: 'Ada Lovelace', email: 'ada@example.org', phone: null },
      policy_text: SAMPLE_CONSULTATION_TYPE.policy_text,
      website: null,
      form_open_ms: expect.any(Number),
      provider: 'stripe',
    })
    expect(JSON.parse(localStorage.getItem('pending-payment') ?? '')).toEqual({
      appointment_id: SAMPLE_APPOINTMENT.id,
      slug: 'dr-grey',
      timestamp: Date.now(),
    })
    expect(screen.getByRole('button', { name: 'Redirecting to payment...' })).toBeTruthy()
  })

  test.each([
    ['payment.initiation_failed', PROBLEMS['payment.initiation_failed'].title],
    ['request.too_many', PROBLEMS['request.too_many'].title],
    ['hold.day_held', PROBLEMS['hold.day_held'].title],
    ['hold.earlier_under_way', PROBLEMS['hold.earlier_under_way'].title],
  ] as const)('refused with %s says so and keeps what was typed', async (code, sentence) => {
    api.refusals = [errorResponse(code)]
    await openFilled()
    await pasteIntoField('Additional Notes', 'My left knee.')
    await press('Pay Now')
    await waitFor(() => expect(getFailure()).toContain(sentence))
    expectEverythingKept()
    await press('Pay Now')
    await waitFor(() => expect(window.open).toHaveBeenCalledWith(CHECKOUT_URL, '_top'))
  })

  test('without an address to pay at says so, and gives the time back', async () => {
    api.refusals = [{ status: 201, body: { appointment_id: SAMPLE_APPOINTMENT.id } }]
    await openFilled()
    await press('Pay Now')
    await waitFor(() => expect(getFailure()).toContain('No checkout URL received'))
    expect(api.paths).toContain(HOLD_PATH)
    expect(window.open).not.toHaveBeenCalled()
  })

  test('at a provider that was disconnected meanwhile keeps the time and shows what is offered now', async () => {
    api.refusals = [errorResponse('payment.provider_not_connected')]
    await openFilled()
    api.page = { ...api.page, payment_providers: { ...STRIPE, stripe_connected: false } }
    await press('Pay Now')
    await waitFor(() => expect(getFailure()).toContain(PROBLEMS['payment.provider_not_connected'].title))
    expect(await screen.findByText('Payment will be handled manually.')).toBeTruthy()
    expect(screen.getByRole('button', { name: '9:30 AM', pressed: true })).toBeTruthy()
  })
})

describe('the Back button of a browser that has kept the page', () => {
  test('gives the time back at once and keeps what was typed', async () => {
    await payNow()
    dispatchEvent(new Event('pageshow'))
    expect(await button('Pay Now')).toBeTruthy()
    expect(api.paths.filter((path) => path === HOLD_PATH)).toHaveLength(1)
    expect(getToastText()).toBe('You weren’t charged. Everything you entered is still here.')
    expectEverythingKept()
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0])
  })

  test('leads to how the payment stands when it is under way', async () => {
    api.overrides.set(HOLD_PATH, errorResponse('payment.under_way'))
    await payNow()
    dispatchEvent(new Event('pageshow'))
    await waitFor(() =>
      expect(location.replace).toHaveBeenCalledWith(
        `/payment-success?appointment_id=${SAMPLE_APPOINTMENT.id}`,
      ),
    )
  })
})

type Changes = {
  calendar?: { payment_required?: boolean }
  type?: Partial<PublicAppointmentType>
}

function open(providers = STRIPE, { calendar = {}, type = {} }: Changes = {}) {
  const [consultation = SAMPLE_CONSULTATION_TYPE, ...others] = makeBookingPageData().appointment_types
  const page = makeBookingPageData(calendar, [{ ...consultation, ...type }, ...others])
  renderBookingPage(api, { ...page, payment_providers: providers })
}

async function openFilled(providers = STRIPE) {
  open(providers)
  await chooseAppointmentType('Consultation')
  await chooseTime()
  await fillDetails()
}

async function payNow() {
  await openFilled()
  await press('Pay Now')
  await waitFor(() => expect(window.open).toHaveBeenCalledWith(CHECKOUT_URL, '_top'))
}

/** Waits until a button with this name is enabled. */
async function button(name: string | RegExp): Promise<HTMLElement> {
  return await waitFor(() => {
    const found = screen.getByRole('button', { name })
    expect(found.getAttribute('aria-disabled')).toBeNull()
    return found
  })
}

async function press(name: string | RegExp) {
  await userEvent.click(await button(name))
}

function expectEverythingKept() {
  expect(screen.getByLabelText<HTMLInputElement>(/Full Name/).value).toBe('Ada Lovelace')
  expect(screen.getByLabelText<HTMLInputElement>(/Email Address/).value).toBe('ada@example.org')
  expect(screen.getByRole('button', { name: '9:30 AM', pressed: true })).toBeTruthy()
}
