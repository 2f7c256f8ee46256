// @vitest-environment happy-dom

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
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
import { getToastText } from '#tests/support/open-booking-page.tsx'
import { Toaster } from '#web/ui/toaster.tsx'
import { CancellationRequestPage } from './cancellation-page.tsx'

const PATH = `/api/public/appointments/${SAMPLE_APPOINTMENT.id}`
const REQUEST_PATH = `${PATH}/cancellation-request`
const FAILED = 'Failed to submit cancellation request. Please try again.'

let api: FakeBookingApi

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z'), toFake: ['Date'] })
  api = new FakeBookingApi()
  api.overrides.set(PATH, successResponse(SAMPLE_APPOINTMENT))
  vi.stubGlobal('fetch', api.fetch)
})
test('a confirmed appointment can be cancelled or kept', async () => {
  renderCancellation()
  expect(screen.getByText('Loading appointment details...')).toBeTruthy()
  expect(await screen.findByRole('button', { name: 'Request cancellation' })).toBeTruthy()
  expect(screen.getByText('BK-1795000000000')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Keep appointment' }).getAttribute('href')).toBe(
    `/book/dr-grey/confirmation?appointment_id=${SAMPLE_APPOINTMENT.id}`,
  )
})

test('a request is sent once, said to be sent, and then pending', async () => {
  api.overrides.set(
    REQUEST_PATH,
    successResponse({ id: SAMPLE_APPOINTMENT.id, status: 'pending_cancellation', booking_reference: 'BK-1' }),
  )
  renderCancellation()
  const button = await screen.findByRole('button', { name: 'Request cancellation' })
  await userEvent.dblClick(button)
  expect(
    await screen.findByText(
      /^Cancellation request submitted successfully\. The calendar owner will review your request\./,
    ),
  ).toBeTruthy()
  const heading = screen.getByRole('heading', { name: 'Cancellation Pending' })
  expect(document.activeElement).toBe(heading)
  expect(getToastText()).toBeUndefined()
  expect(screen.queryByRole('button')).toBeNull()
  expect(api.countOf('cancellation-request')).toBe(1)
  const seen = new URLSearchParams({ expected_starts_at: SAMPLE_APPOINTMENT.starts_at })
  expect(api.paths).toContain(`${REQUEST_PATH}?${seen}`)
})

test.each([
  ['cancelled', 'Appointment Cancelled'],
  ['pending_cancellation', 'Cancellation Pending'],
  ['pending_payment', 'Your appointment'],
] as const)('one that is %s is not cancelled again', async (status, heading) => {
  renderCancellation({ status })
  expect(await screen.findByRole('heading', { name: heading })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Request cancellation' })).toBeNull()
})

test('one that has started is not offered to cancel, and a sentence says why', async () => {
  renderCancellation({ starts_at: '2026-11-20T10:00:00Z' })
  expect(await screen.findByText(PROBLEMS['appointment.past'].title)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Request cancellation' })).toBeNull()
})

test.each(['nope', `${SAMPLE_APPOINTMENT.id}0`, '../../secrets'])(
  '%s is no id, so nothing is asked for',
  (appointmentId) => {
    renderCancellation({}, appointmentId)
    expect(screen.getByRole('heading', { name: 'Appointment Not Found' })).toBeTruthy()
    expect(api.paths).toEqual([])
  },
)

test('an unknown id is not found', async () => {
  api.overrides.set(PATH, errorResponse('appointment.not_found'))
  renderCancellation(null)
  expect(await screen.findByRole('heading', { name: 'Appointment Not Found' })).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Go Home' }).getAttribute('href')).toBe('/')
})

test('details that cannot be loaded can be tried again', async () => {
  api.overrides.set(PATH, 'offline')
  renderCancellation(null)
  expect(await screen.findByRole('heading', { name: 'Failed to load appointment details' })).toBeTruthy()
  api.overrides.set(PATH, successResponse(SAMPLE_APPOINTMENT))
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('button', { name: 'Request cancellation' })).toBeTruthy()
})

test.each([
  ['offline' as const],
  [errorResponse('server.unexpected')],
  [errorResponse('server.unavailable')],
])('a request that fails can be sent again', async (answer) => {
  api.overrides.set(REQUEST_PATH, answer)
  renderCancellation()
  await userEvent.click(await screen.findByRole('button', { name: 'Request cancellation' }))
  expect(await screen.findAllByText(FAILED)).toHaveLength(1)
  expect(getToastText()).toBeUndefined()
  expect(screen.getByRole('button', { name: 'Request cancellation' })).toBeTruthy()
})

test('a request that is refused gives the reason, and the page shows how things stand', async () => {
  api.overrides.set(REQUEST_PATH, errorResponse('appointment.already_cancelled'))
  renderCancellation()
  const button = await screen.findByRole('button', { name: 'Request cancellation' })
  api.overrides.set(PATH, successResponse({ ...SAMPLE_APPOINTMENT, status: 'cancelled' }))
  await userEvent.click(button)
  expect(await screen.findByRole('heading', { name: 'Appointment Cancelled' })).toBeTruthy()
  expect(screen.getByText('This appointment has been cancelled.')).toBeTruthy()
  expect(getToastText()).toBeUndefined()
  expect(screen.queryByText(PROBLEMS['appointment.already_cancelled'].title)).toBeNull()
})

test('a refusal is shown above the buttons if the appointment can still be cancelled', async () => {
  api.overrides.set(REQUEST_PATH, errorResponse('request.too_many'))
  renderCancellation()
  await userEvent.click(await screen.findByRole('button', { name: 'Request cancellation' }))
  expect(await screen.findAllByText(PROBLEMS['request.too_many'].title)).toHaveLength(1)
  expect(getToastText()).toBeUndefined()
  expect(screen.getByRole('button', { name: 'Request cancellation' })).toBeTruthy()
})

/** Renders the page for an appointment with these changes. With `null`, the server's response stays as the test has set it. */
function renderCancellation(
  change: Partial<PublicAppointment> | null = {},
  appointmentId = SAMPLE_APPOINTMENT.id,
) {
  if (change !== null) api.overrides.set(PATH, successResponse({ ...SAMPLE_APPOINTMENT, ...change }))
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  render(
    <QueryClientProvider client={client}>
      <CancellationRequestPage appointmentId={appointmentId} />
      <Toaster />
    </QueryClientProvider>,
  )
}
