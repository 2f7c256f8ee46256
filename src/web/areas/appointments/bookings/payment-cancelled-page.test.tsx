// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import {
  errorResponse,
  FakeBookingApi,
  HOLD_RELEASED_RESPONSE,
  SAMPLE_APPOINTMENT,
} from '#tests/support/fake-booking-api.ts'
import { getToastText } from '#tests/support/open-booking-page.tsx'
import { Toaster } from '#web/ui/toaster.tsx'
import { EMPTY_DRAFT } from './booking-draft.ts'
import { PaymentCancelledPage } from './payment-cancelled-page.tsx'
import { savePendingPayment } from './pending-payment.ts'

const PATH = `/api/public/appointments/${SAMPLE_APPOINTMENT.id}`

let api: FakeBookingApi

beforeEach(() => {
  api = new FakeBookingApi()
  api.overrides.set(PATH, HOLD_RELEASED_RESPONSE)
  vi.stubGlobal('fetch', api.fetch)
  savePendingPayment(
    { appointment_id: SAMPLE_APPOINTMENT.id, slug: 'dr-grey', timestamp: 0 },
    { draft: EMPTY_DRAFT, link: 'link-of-theirs' },
  )
})
test('gives the time back, forgets the hold, keeps what was typed, and leads back to it', async () => {
  open()
  expect(screen.getByRole('heading', { name: 'Payment Cancelled' })).toBeTruthy()
  expect(await screen.findByText('You weren’t charged, and we’re no longer holding your time.')).toBeTruthy()
  expect(api.paths).toEqual([PATH])
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 1])
  expectWayBackTo('/book/dr-grey')
})

test('leads back to the appointment type of the page. Source: rule T66', async () => {
  const payment = { appointment_id: SAMPLE_APPOINTMENT.id, slug: 'dr-grey', timestamp: 0 }
  savePendingPayment(payment, { draft: { ...EMPTY_DRAFT, typeId: 'type-1' }, link: 'link-of-theirs' })
  open()
  expect(await screen.findByText('You weren’t charged, and we’re no longer holding your time.')).toBeTruthy()
  expectWayBackTo('/book/dr-grey?type=type-1')
})

test('what is gone already is not said to be given back', async () => {
  api.overrides.set(PATH, errorResponse('appointment.not_found'))
  open()
  expect(await screen.findByText('You have no open payment.')).toBeTruthy()
  expect(localStorage.length).toBe(0)
})

test('a payment that is under way keeps the time and leads to how it stands', async () => {
  api.overrides.set(PATH, errorResponse('payment.under_way'))
  open()
  expect(
    await screen.findByText('This payment is in progress or complete, so we’re keeping your time.'),
  ).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Payment not cancelled' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'See your payment' }).getAttribute('href')).toBe(
    `/payment-success?appointment_id=${SAMPLE_APPOINTMENT.id}`,
  )
  expect(localStorage.length).toBe(0)
})

test.each([
  [errorResponse('server.unavailable'), 'Failed to cancel appointment. Please try again.'],
  ['offline', 'An error occurred while cancelling your appointment'],
] as const)('a failure is said, and can be tried again (%#)', async (answer, sentence) => {
  api.overrides.set(PATH, answer)
  open()
  await waitFor(() => expect(getToastText()).toBe(sentence))
  expect(screen.getByText('We’ll release your time within a few minutes.')).toBeTruthy()
  expect(localStorage.length).toBe(1)
  api.overrides.set(PATH, HOLD_RELEASED_RESPONSE)
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('You weren’t charged, and we’re no longer holding your time.')).toBeTruthy()
})

test('without an id or a calendar there is nothing to give back, and a way home', () => {
  open({ appointmentId: null, slug: null, transactionId: null })
  expect(screen.getByRole('heading', { name: 'Payment Cancelled' })).toBeTruthy()
  expect(screen.getByText('You have no open payment.')).toBeTruthy()
  expect(api.paths).toEqual([])
  expectWayBackTo('/')
})

function open(props: Parameters<typeof PaymentCancelledPage>[0] = KNOWN) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <PaymentCancelledPage {...props} />
      <Toaster />
    </QueryClientProvider>,
  )
}

const KNOWN = { appointmentId: SAMPLE_APPOINTMENT.id, slug: 'dr-grey', transactionId: null }

function expectWayBackTo(path: string) {
  expect(screen.getByRole('link', { name: 'Return to booking' }).getAttribute('href')).toBe(path)
}
