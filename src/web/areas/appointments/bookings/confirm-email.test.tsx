// @vitest-environment happy-dom

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { PublicAppointment } from '#contract/appointments/bookings.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import {
  errorResponse,
  FakeBookingApi,
  SAMPLE_APPOINTMENT,
  successResponse,
} from '#tests/support/fake-booking-api.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { Toaster } from '#web/ui/toaster.tsx'
import { EMPTY_DRAFT } from './booking-draft.ts'
import { ConfirmedBooking } from './confirmed-booking.tsx'
import { readSavedBooking, type SavedBooking } from './saved-booking.ts'
import { readSavedDraft } from './saved-draft.ts'

const PATH = `/api/public/appointments/${SAMPLE_APPOINTMENT.id}/email-confirmation`
const HELD = {
  ...SAMPLE_APPOINTMENT,
  status: 'pending_payment',
  confirm_email_until: '2026-11-20T10:15:00Z',
} as const
let api: FakeBookingApi
let sent: unknown[]

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z'), toFake: ['Date'] })
  api = new FakeBookingApi()
  sent = []
  vi.stubGlobal('fetch', (input: string, init: RequestInit = {}) => {
    if (typeof init.body === 'string') sent.push(JSON.parse(init.body))
    return api.fetch(input, init)
  })
})
test('a held booking asks for the code, says where it was sent and until when, and is confirmed by it', async () => {
  api.overrides.set(PATH, successResponse({ ...SAMPLE_APPOINTMENT, confirmation_email_queued: true }))
  renderHeld()
  const heading = await screen.findByRole('heading', { name: 'Confirm your email address' })
  expect(document.activeElement).toBe(heading)
  expect(document.title).toBe('Confirm your email address · Meridian')
  expect(screen.getByText(/sent a six-digit code to grace@example.com/).textContent).toMatch(
    /holding your time until \d/,
  )
  expect(screen.queryByText('Booking Confirmed!')).toBeNull()
  await userEvent.type(screen.getByLabelText(/^Code/), '123456{Enter}')
  const confirmed = await screen.findByRole('heading', { name: 'Booking Confirmed!' })
  expect(document.activeElement).toBe(confirmed)
  expect(sent).toEqual([{ code: '123456' }])
  expect(screen.getByText('It was sent to grace@example.com.')).toBeTruthy()
})

test('the end of the hold is on the clock of the summary, which it names to somebody elsewhere', async () => {
  renderHeld({ appointment: { ...HELD, customer_time_zone: 'Pacific/Auckland' } })
  const text = await screen.findByText(/sent a six-digit code/)
  expect(text.textContent).toContain(
    'We’re holding your time until 10:15 AM London time (GMT). Enter the code',
  )
  expect(screen.getByText(/9:30 AM – 10:00 AM/)).toBeTruthy()
})

test('a wrong code is said at the field, what was typed stays, and another one can be tried', async () => {
  api.overrides.set(PATH, errorResponse('confirmation.wrong_code'))
  renderHeld()
  const code = await screen.findByLabelText<HTMLInputElement>(/^Code/)
  await enterText(userEvent, code, '000000')
  await userEvent.click(screen.getByRole('button', { name: 'Confirm booking' }))
  await waitFor(() => expect(code.getAttribute('aria-invalid')).toBe('true'))
  expect(code.value).toBe('000000')
  expect(screen.getAllByText(PROBLEMS['confirmation.wrong_code'].title).length).toBeGreaterThan(0)
  api.overrides.set(PATH, successResponse({ ...SAMPLE_APPOINTMENT, confirmation_email_queued: false }))
  await userEvent.clear(code)
  await userEvent.type(code, '123456{Enter}')
  await screen.findByRole('heading', { name: 'Booking Confirmed!' })
  expect(screen.getByText('Appointment booked but failed to send confirmation email')).toBeTruthy()
})

test('a code that comes too late leads to another time', async () => {
  api.overrides.set(PATH, errorResponse('confirmation.too_late'))
  renderHeld()
  await userEvent.type(await screen.findByLabelText(/^Code/), '123456{Enter}')
  expect((await screen.findAllByText(/The code came too late/)).length).toBeGreaterThan(0)
  expect(screen.getByRole('link', { name: 'Change it' }).getAttribute('href')).toBe('/book/dr-grey')
})

test('a customer who typed a wrong address gives the time back and finds the form as it was', async () => {
  const reload = vi.spyOn(location, 'reload').mockImplementation(() => {})
  const path = `/api/public/appointments/${SAMPLE_APPOINTMENT.id}`
  api.overrides.set(path, { status: 204, body: null })
  const draft = { ...EMPTY_DRAFT, name: 'Grace Hopper', email: 'grace@exmaple.com', notes: 'By the window' }
  renderHeld({ form: { path: '/book/dr-grey', draft } })
  await userEvent.click(await screen.findByRole('link', { name: 'Change it' }))
  await waitFor(() => expect(reload).toHaveBeenCalledOnce())
  expect(location.pathname).toBe('/book/dr-grey')
  expect(readSavedDraft()).toEqual(draft)
  reload.mockRestore()
})

test('once the code is right, the form is no longer kept', async () => {
  api.overrides.set(PATH, successResponse({ ...SAMPLE_APPOINTMENT, confirmation_email_queued: true }))
  renderHeld({ form: { path: '/book/dr-grey', draft: EMPTY_DRAFT } })
  await userEvent.type(await screen.findByLabelText(/^Code/), '123456{Enter}')
  expect(await screen.findByRole('heading', { name: 'Booking Confirmed!' })).toBeTruthy()
  expect(readSavedBooking()).toEqual({ email: 'grace@example.com', zone: null })
})

test('without an answer the page stays, and says so', async () => {
  api.overrides.set(`/api/public/appointments/${SAMPLE_APPOINTMENT.id}`, errorResponse('server.unexpected'))
  renderHeld({ form: { path: '/book/dr-grey', draft: EMPTY_DRAFT } })
  await userEvent.click(await screen.findByRole('link', { name: 'Change it' }))
  expect(await screen.findByText(PROBLEMS['server.unexpected'].title)).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'Confirm your email address' })).toBeTruthy()
})

test('the code can be sent again, and a refusal says so', async () => {
  api.overrides.set(`${PATH}/code`, { status: 204, body: null })
  renderHeld()
  const again = await screen.findByRole('button', { name: 'Send the code again' })
  await userEvent.click(again)
  expect(await screen.findByText('We’ve sent the code again.')).toBeTruthy()
  api.overrides.set(`${PATH}/code`, errorResponse('confirmation.sent_often'))
  await userEvent.click(again)
  expect(await screen.findByText(/We’ve sent the code as often as we can/)).toBeTruthy()
})

type Held = { appointment?: PublicAppointment; form?: SavedBooking['form'] }

function renderHeld({ appointment = HELD, form = null }: Held = {}) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  // Like the booking page, pass a value that the browser history cannot store (a function).
  const kept = { email: 'grace@example.com', zone: null, form, notKept: () => null }
  render(
    <QueryClientProvider client={client}>
      <ConfirmedBooking appointment={appointment} bookingPath="/book/dr-grey" kept={kept} takesFocus />
      <Toaster />
    </QueryClientProvider>,
  )
}
