import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { BookingPageData } from '#contract/pages/page-data.ts'
import { BookingPage } from '#web/areas/appointments/bookings/booking-page.tsx'
import { ErrorPage } from '#web/areas/appointments/bookings/error-page.tsx'
import { Toaster } from '#web/ui/toaster.tsx'
import type { FakeBookingApi } from './fake-booking-api.ts'

/** Opens `/book/dr-grey` as the server delivers it, or without inlined data. */
export function renderBookingPage(api: FakeBookingApi, inlined: BookingPageData | null): QueryClient {
  if (inlined !== null) api.page = inlined
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } })
  render(
    <QueryClientProvider client={client}>
      <BookingPage slug="dr-grey" inlined={inlined} ErrorPage={ErrorPage} />
      <Toaster />
    </QueryClientProvider>,
  )
  return client
}

/** Chooses an appointment type, and reopens the step first if it has collapsed. */
export async function chooseAppointmentType(name: string) {
  const change = screen.queryByRole('button', { name: 'Change appointment type' })
  if (change !== null) await userEvent.click(change)
  await userEvent.click(screen.getByRole('radio', { name: new RegExp(name) }))
}

/** Chooses a time on Tuesday, November 24, 2026. */
export async function chooseTime(label = '9:30 AM') {
  await userEvent.click(findDayButton(/^Tuesday, November 24, 2026/))
  await userEvent.click(await screen.findByRole('button', { name: label }))
}

export async function fillDetails({ email = 'ada@example.org' } = {}) {
  await pasteIntoField(/Full Name/, 'Ada Lovelace')
  await pasteIntoField(/Email Address/, email)
}

/** Pastes a text into a field. Typing key by key would render the whole page for each letter. */
export async function pasteIntoField(label: string | RegExp, text: string) {
  await userEvent.click(screen.getByLabelText(label))
  await userEvent.paste(text)
}

export async function submitBooking() {
  await userEvent.click(screen.getByRole('button', { name: 'Book appointment' }))
}

/** Finds a day in the displayed weeks by its accessible name. */
export function findDayButton(name: string | RegExp) {
  return screen.getByRole('button', { name })
}

/** Returns the text above the button that says why the booking was not sent or not made. */
export function getFailure() {
  return screen.queryAllByRole('alert').find((alert) => alert.closest('form') !== null)?.textContent
}

/** Returns the text of the toast on screen. */
export function getToastText() {
  return document.querySelector('[data-toaster] p')?.textContent
}
