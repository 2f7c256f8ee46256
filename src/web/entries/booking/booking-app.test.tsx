// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  FakeBookingApi,
  makeBookingPageData,
  SAMPLE_APPOINTMENT,
  successResponse,
} from '#tests/support/fake-booking-api.ts'
import { ErrorPage } from '#web/areas/appointments/bookings/error-page.tsx'
import { BookingApp } from './booking-app.tsx'
import { readPageData } from './read-page-data.ts'

beforeEach(() => {
  const api = new FakeBookingApi()
  api.overrides.set(`/api/public/appointments/${SAMPLE_APPOINTMENT.id}`, successResponse(SAMPLE_APPOINTMENT))
  vi.stubGlobal('fetch', api.fetch)
})
afterEach(() => {
  cleanup()
  document.body.innerHTML = ''
  vi.unstubAllGlobals()
})

test.each([
  ['/book/dr-grey', 'Maya Grey'],
  [`/book/dr-grey/confirmation?appointment_id=${SAMPLE_APPOINTMENT.id}`, 'Booking Confirmed!'],
  ['/confirmation', 'No appointment ID provided'],
  ['/cancel/nope', 'Appointment Not Found'],
  ['/payment-success', 'No appointment ID provided'],
  ['/payment-cancelled', 'Payment Cancelled'],
  ['/book/a/b', 'Page Not Found'],
])('%s shows %s', async (address, heading) => {
  open(address)
  expect(await screen.findByRole('heading', { level: 1, name: heading })).toBeTruthy()
  expect(screen.getAllByRole('main')).toHaveLength(1)
})

test('the navigation has a theme toggle and a link home, and nothing to wander off to', () => {
  open('/book/dr-grey')
  const navigation = screen.getByRole('navigation')
  expect([...navigation.querySelectorAll('a')].map((link) => link.getAttribute('href'))).toEqual(['/'])
  expect(screen.getByRole('button', { name: /^Theme/ })).toBeTruthy()
})

test('a cancel link shows what was booked', async () => {
  open(`/cancel/${SAMPLE_APPOINTMENT.id}`)
  expect(await screen.findByText('BK-1795000000000')).toBeTruthy()
})

test('the first data is read from the page, also where a name closes a script', () => {
  const inlined = makeBookingPageData({ calendar_name: '</script><b>' })
  const element = document.createElement('script')
  element.type = 'application/json'
  element.id = 'page-data'
  element.textContent = JSON.stringify(inlined).replaceAll('<', '\\u003c')
  document.body.append(element)
  expect(readPageData()).toEqual(inlined)
})

test('a page that was served without data has none', () => {
  expect(readPageData()).toBeNull()
})

function open(address: string) {
  history.replaceState(null, '', address)
  render(<BookingApp inlined={makeBookingPageData()} address={location} ErrorPage={ErrorPage} />)
}
