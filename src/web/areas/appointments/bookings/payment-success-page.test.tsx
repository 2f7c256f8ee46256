// @vitest-environment happy-dom

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { PaymentState } from '#contract/payments/checkouts.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  errorResponse,
  FakeBookingApi,
  SAMPLE_APPOINTMENT,
  successResponse,
} from '#tests/support/fake-booking-api.ts'
import { EMPTY_DRAFT } from './booking-draft.ts'
import { PaymentSuccessPage } from './payment-success-page.tsx'
import { savePendingPayment } from './pending-payment.ts'

const PATH = `/api/public/appointments/${SAMPLE_APPOINTMENT.id}/payment`

let api: FakeBookingApi

beforeEach(() => {
  vi.useFakeTimers({
    now: Date.parse('2026-11-20T10:00:00Z'),
    toFake: ['Date', 'setTimeout', 'clearTimeout'],
  })
  vi.stubEnv('TZ', 'Europe/London')
  api = new FakeBookingApi()
  vi.stubGlobal('fetch', api.fetch)
})
describe('a payment that has arrived', () => {
  test('confirms the booking with its reference, and forgets what was remembered', async () => {
    savePendingPayment(
      { appointment_id: SAMPLE_APPOINTMENT.id, slug: 'dr-grey', timestamp: Date.now() },
      { draft: EMPTY_DRAFT, link: 'link-of-theirs' },
    )
    await open({ payment: 'paid' })
    expect(heading()).toBe('Booking Confirmed!')
    expect(screen.getByText('BK-1795000000000')).toBeTruthy()
    expect(screen.getByText('Your payment was received.')).toBeTruthy()
    expect(screen.getByText('A confirmation email was sent to the address you gave.')).toBeTruthy()
    expect([localStorage.length, sessionStorage.length]).toEqual([0, 0])
    expect(api.paths).toEqual([PATH])
  })

  test('names the address and first the clock that were chosen before, also after a reload', async () => {
    const draft = { ...EMPTY_DRAFT, email: 'ada@example.org ', zone: 'visitor' } as const
    savePendingPayment(
      { appointment_id: SAMPLE_APPOINTMENT.id, slug: 'dr-grey', timestamp: Date.now() },
      { draft, link: 'link-of-theirs' },
    )
    for (let opened = 0; opened < 2; opened += 1) {
      await open({
        payment: 'paid',
        appointment: { ...SAMPLE_APPOINTMENT, customer_time_zone: 'Asia/Kathmandu' },
      })
      expect(screen.getByText('A confirmation email was sent to ada@example.org.')).toBeTruthy()
      expect(screen.getByText('Time').nextElementSibling?.textContent).toMatch(/^Your time: 3:15 PM/)
      const change = screen.getByRole('link', { name: 'Move or cancel' })
      expect(change.getAttribute('href')).toBe('/manage/link-of-theirs')
      expect(sessionStorage.length).toBe(0)
      cleanup()
    }
  })

  test('is asked for up to three times more, two seconds apart, until it is there', async () => {
    await open({ payment: 'processing' })
    expect(screen.getByText('Loading appointment details...')).toBeTruthy()
    await wait(2_000)
    await wait(1_900)
    expect(api.paths).toHaveLength(2)
    answer({ payment: 'paid' })
    await wait(100)
    expect(heading()).toBe('Booking Confirmed!')
  })
})

describe('what is said after the last try', () => {
  test('about a payment on its way: that we will write', async () => {
    await open({ payment: 'processing' })
    await wait(6_000)
    expect(api.paths).toHaveLength(4)
    expect(heading()).toBe('Payment processing')
    expect(screen.getByText(/We’ll email you when it arrives/)).toBeTruthy()
    expect(screen.getByText('BK-1795000000000')).toBeTruthy()
    answer({ payment: 'paid' })
    screen.getByRole('button', { name: 'Check again' }).click()
    await wait(0)
    expect(heading()).toBe('Booking Confirmed!')
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
  })

  test('about nothing paid: so, with the way back, where the hold is still remembered', async () => {
    savePendingPayment(
      { appointment_id: SAMPLE_APPOINTMENT.id, slug: 'dr-grey', timestamp: Date.now() },
      { draft: EMPTY_DRAFT, link: 'link-of-theirs' },
    )
    await open({ payment: 'open' })
    await wait(6_000)
    expect(heading()).toBe('Payment not received')
    expect(screen.getByText(/We haven’t received your payment/)).toBeTruthy()
    expectWayBack()
    expect([localStorage.length, sessionStorage.length]).toEqual([1, 1])
  })

  test('when nobody answers: that it could not be loaded, and it can be tried again', async () => {
    api.overrides.set(PATH, 'offline')
    await open()
    await wait(6_000)
    expect(api.paths).toHaveLength(4)
    expect(
      screen.getByText('Failed to load appointment details. Please refresh the page or contact support.'),
    ).toBeTruthy()
    answer({ payment: 'paid' })
    screen.getByRole('button', { name: 'Try again' }).click()
    await wait(0)
    expect(heading()).toBe('Booking Confirmed!')
  })
})

test('money that goes back says so, with near times that open the form as it was typed', async () => {
  savePendingPayment(
    { appointment_id: SAMPLE_APPOINTMENT.id, slug: 'dr-grey', timestamp: Date.now() },
    { draft: { ...EMPTY_DRAFT, name: 'Ada Lovelace' }, link: 'link-of-theirs' },
  )
  await open({
    payment: 'refunded',
    appointment: null,
    near_times: ['2026-11-24T10:00:00Z', '2026-11-25T09:00:00Z'],
  })
  expect(heading()).toBe('Payment refunded')
  expect(screen.getByText(/we’re refunding it in full/)).toBeTruthy()
  expect(screen.getByText('Your time: London time (GMT)')).toBeTruthy()
  const near = screen.getByRole('link', { name: 'Wednesday, November 25 at 9:00 AM' })
  expect(near.getAttribute('href')).toBe('/book/dr-grey')
  near.addEventListener('click', (event) => event.preventDefault())
  near.click()
  expect(JSON.parse(sessionStorage.getItem('left-booking-form') ?? '').draft).toMatchObject({
    name: 'Ada Lovelace',
    startsAt: '2026-11-25T09:00:00Z',
    date: '2026-11-25',
  })
  expect(localStorage.length).toBe(0)
  expectWayBack()
})

test('a booking that was paid in a sandbox says that no real money moved', async () => {
  const price_note = 'Sandbox: no real money moves'
  await open({ appointment: { ...SAMPLE_APPOINTMENT, payment_status: 'paid', price_note } })
  expect(heading()).toBe('Booking Confirmed!')
  expect(screen.getByText(/Sandbox: no real money moves/)).toBeTruthy()
})

test('a checkout that has ended unpaid says so, with the way back', async () => {
  await open({ payment: 'ended', appointment: null })
  expect(heading()).toBe('Payment not completed')
  expect(screen.getByText(/You weren’t charged, and the time is no longer held/)).toBeTruthy()
  expectWayBack()
})

test('without an id nothing is asked', async () => {
  await open({}, null)
  expect(heading()).toBe('No appointment ID provided')
  expect(api.paths).toEqual([])
})

test('an id without a payment is refused once and for all', async () => {
  api.overrides.set(PATH, errorResponse('payment.not_found'))
  await open()
  expect(heading()).toBe(PROBLEMS['payment.not_found'].title)
  expect(screen.queryByRole('button')).toBeNull()
  expect(screen.getByRole('link', { name: 'Go Home' }).getAttribute('href')).toBe('/')
  expect(api.paths).toHaveLength(1)
})

async function open(change?: Partial<PaymentState>, appointmentId: string | null = SAMPLE_APPOINTMENT.id) {
  if (change !== undefined) answer(change)
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PaymentSuccessPage appointmentId={appointmentId} />
    </QueryClientProvider>,
  )
  await wait(0)
}

function answer(change: Partial<PaymentState>) {
  api.overrides.set(
    PATH,
    successResponse({
      payment: 'paid',
      appointment: { ...SAMPLE_APPOINTMENT, payment_status: 'paid' },
      calendar_slug: 'dr-grey',
      public_url: SAMPLE_APPOINTMENT.public_url,
      near_times: [],
      hour_cycle: 'h12',
      ...change,
    } satisfies PaymentState),
  )
}

async function wait(ms: number) {
  await act(() => vi.advanceTimersByTimeAsync(ms))
  // Reading the response and re-rendering the page from the cache each take another turn of the event loop.
  for (let turn = 0; turn < 3; turn += 1) {
    await act(() => new Promise((resolve) => setImmediate(resolve)))
    await act(() => vi.advanceTimersByTimeAsync(1))
  }
}

function heading() {
  return screen.getByRole('heading', { level: 1 }).textContent
}

function expectWayBack() {
  expect(screen.getByRole('link', { name: 'Return to booking' }).getAttribute('href')).toBe('/book/dr-grey')
}
