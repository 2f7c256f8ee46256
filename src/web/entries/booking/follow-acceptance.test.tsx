// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { AcceptOfferResponse, CustomerWaitingRequest } from '#contract/waiting-list/waiting-list.ts'
import { retryUntilPasses } from '#tests/support/eventually.ts'
import { FakeBookingApi, SAMPLE_APPOINTMENT, successResponse } from '#tests/support/fake-booking-api.ts'
import { PaymentSuccessPage } from '#web/areas/appointments/bookings/payment-success-page.tsx'
import { readSavedBooking } from '#web/areas/appointments/bookings/saved-booking.ts'
import { CustomerWaitingListPage } from '#web/areas/waiting-list/customer/waiting-page.tsx'
import { openPageAfterAcceptance } from './follow-acceptance.ts'

const LINK = 'B'.repeat(44)
const BOOKED = {
  ...SAMPLE_APPOINTMENT,
  confirmation_email_queued: true,
  manage_token: LINK,
  further_dates: [],
}
const CHECKOUT = 'https://pay.example/checkout'

let api: FakeBookingApi

beforeEach(() => {
  api = new FakeBookingApi()
  vi.stubGlobal('fetch', api.fetch)
  history.replaceState(null, '', '/waiting/token')
})
test('whoever accepts comes to the confirmation, which knows the link of their page', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue()
  await accept({ outcome: 'booked', appointment: BOOKED })
  await retryUntilPasses(() => expect(reload).toHaveBeenCalledOnce())
  expect(location.pathname + location.search).toBe(
    `/book/dr-grey/confirmation?appointment_id=${SAMPLE_APPOINTMENT.id}`,
  )
  expect(readSavedBooking()).toEqual({ email: '', zone: null, link: LINK })
})

test('on the host of a calendar its confirmation is not led on to another address, which would forget the link', async () => {
  const reload = vi.spyOn(location, 'reload').mockReturnValue()
  await accept({ outcome: 'booked', appointment: { ...BOOKED, public_url: `${location.origin}/` } })
  await retryUntilPasses(() => expect(reload).toHaveBeenCalledOnce())
  expect(location.pathname).toBe('/confirmation')
  expect(readSavedBooking()?.link).toBe(LINK)
})

test('after a payment the confirmation leads to the page of the customer, too', async () => {
  const assign = vi.spyOn(location, 'assign').mockReturnValue()
  await accept({ outcome: 'pay', url: CHECKOUT, appointment_id: SAMPLE_APPOINTMENT.id, manage_token: LINK })
  await retryUntilPasses(() => expect(assign).toHaveBeenCalledWith(CHECKOUT))
  cleanup()
  api.overrides.set(
    `/api/public/appointments/${SAMPLE_APPOINTMENT.id}/payment`,
    successResponse({
      payment: 'paid',
      appointment: {
        ...SAMPLE_APPOINTMENT,
        starts_at: '2099-12-01T09:30:00Z',
        ends_at: '2099-12-01T10:00:00Z',
      },
      calendar_slug: 'dr-grey',
      public_url: SAMPLE_APPOINTMENT.public_url,
      near_times: [],
    }),
  )
  show(<PaymentSuccessPage appointmentId={SAMPLE_APPOINTMENT.id} />)
  const change = await screen.findByRole('link', { name: 'Move or cancel' })
  expect(change.getAttribute('href')).toBe(`/manage/${LINK}`)
  expect(screen.getByText('A confirmation email was sent to the address you gave.')).toBeTruthy()
})

test.each([
  ['its own page', LINK, `/manage/${LINK}`],
  [
    'the confirmation when its link was replaced',
    null,
    `/book/dr-grey/confirmation?appointment_id=${SAMPLE_APPOINTMENT.id}`,
  ],
])('opened again, the email of an accepted offer leads to %s', async (_where, manage_token, href) => {
  const offer = {
    ...OPEN_OFFER,
    state: 'accepted',
    appointment_id: SAMPLE_APPOINTMENT.id,
    manage_token,
  } as const
  api.overrides.set('/api/public/waiting-list/token', successResponse({ ...VIEW, state: 'accepted', offer }))
  show(<CustomerWaitingListPage token="token" onAccepted={openPageAfterAcceptance} />)
  const link = await screen.findByRole('link', { name: 'View your booking' })
  expect(link.getAttribute('href')).toBe(href)
})

test('whoever comes back from the payment without having paid goes on to it, and reads how long they can', async () => {
  const assign = vi.spyOn(location, 'assign').mockReturnValue()
  await accept({ outcome: 'pay', url: CHECKOUT, appointment_id: SAMPLE_APPOINTMENT.id, manage_token: LINK })
  await retryUntilPasses(() => expect(assign).toHaveBeenCalledOnce())
  const offer = {
    ...OPEN_OFFER,
    state: 'accepted',
    appointment_id: SAMPLE_APPOINTMENT.id,
    manage_token: LINK,
    pay_until: '2026-11-30T09:05:00Z',
  } as const
  api.overrides.set('/api/public/waiting-list/token', successResponse({ ...VIEW, state: 'accepted', offer }))
  // The browser restores the page from the back-forward cache.
  fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }))
  expect(await screen.findByRole('heading', { name: 'Please pay for your time' })).toBeTruthy()
  expect(screen.getByText(/^Held for you until Monday, November 30, 9:05 AM/)).toBeTruthy()
  await act(async () => {
    fireEvent.click(screen.getByRole('button', { name: 'Continue to payment' }))
  })
  await retryUntilPasses(() => expect(assign).toHaveBeenCalledTimes(2))
  expect(assign).toHaveBeenLastCalledWith(CHECKOUT)
})

test('an offer is on the clock of the customer, and on that of the practice where it reads otherwise', async () => {
  const [own, other] = ['America/New_York', 'Europe/London']
  api.overrides.set(
    '/api/public/waiting-list/token',
    successResponse({ ...VIEW, customer_time_zone: own, time_zone: other }),
  )
  show(<CustomerWaitingListPage token="token" onAccepted={openPageAfterAcceptance} />)
  expect(await screen.findByText(/4:30 AM – 5:00 AM/)).toBeTruthy()
  expect(
    screen.getByText('Held for you until Monday, November 30, 7:00 AM New York time (EST).'),
  ).toBeTruthy()
  expect(
    screen.getByText('For Harbour Practice: Tuesday, December 1, 9:30 AM, London time (GMT)'),
  ).toBeTruthy()
  cleanup()
  api.overrides.set('/api/public/waiting-list/token', successResponse(VIEW))
  show(<CustomerWaitingListPage token="token" onAccepted={openPageAfterAcceptance} />)
  expect(await screen.findByText(/9:30 AM – 10:00 AM/)).toBeTruthy()
  expect(screen.queryByText(/^For Harbour Practice/)).toBeNull()
})

/** Opens the page of an open offer and accepts the offer. */
async function accept(answer: AcceptOfferResponse): Promise<void> {
  api.overrides.set('/api/public/waiting-list/token', successResponse(VIEW))
  api.overrides.set('/api/public/waiting-list/token/acceptance', successResponse(answer))
  show(<CustomerWaitingListPage token="token" onAccepted={openPageAfterAcceptance} />)
  const button = await screen.findByRole('button', { name: 'Accept this time' })
  await act(async () => {
    fireEvent.click(button)
  })
}

function show(page: React.ReactNode): void {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(<QueryClientProvider client={client}>{page}</QueryClientProvider>)
}

const OPEN_OFFER: NonNullable<CustomerWaitingRequest['offer']> = {
  state: 'open',
  starts_at: '2026-12-01T09:30:00Z',
  ends_at: '2026-12-01T10:00:00Z',
  expires_at: '2026-11-30T12:00:00Z',
  is_held: true,
  price: null,
  fee_note: null,
  policy_text: '',
  payment: 'none',
  providers: [],
  appointment_id: null,
  manage_token: null,
  pay_until: null,
}

const VIEW: CustomerWaitingRequest = {
  state: 'offered',
  calendar_name: 'Harbour Practice',
  calendar_color: '#3498db',
  calendar_slug: 'dr-grey',
  customer_name: 'Ada',
  appointment_type_name: 'Consultation',
  from_date: '2026-12-01',
  to_date: '2026-12-02',
  weekdays: [2],
  day_parts: ['morning'],
  valid_until: '2026-12-02',
  time_zone: 'Europe/London',
  hour_cycle: 'h12',
  customer_time_zone: 'Europe/London',
  offer: OPEN_OFFER,
}
