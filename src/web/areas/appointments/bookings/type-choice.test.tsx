// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import {
  FakeBookingApi,
  makeBookingPageData,
  SAMPLE_CONSULTATION_TYPE,
} from '#tests/support/fake-booking-api.ts'
import { renderBookingPage } from '#tests/support/open-booking-page.tsx'

test('a list of more than 12 services can be searched by name and description, and keeps the chosen one', async () => {
  const api = open(13)
  const search = screen.getByRole('searchbox', { name: 'Search appointment types' })
  await userEvent.type(search, 'service 3')
  expect(names()).toEqual(['Sérvice 3', 'Sérvice 13'])
  await userEvent.clear(search)
  await userEvent.type(search, 'remedy 7')
  expect(names()).toEqual(['Sérvice 7'])
  await userEvent.click(screen.getByRole('radio', { name: /Sérvice 7/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Change appointment type' }))
  await userEvent.clear(search)
  // Enter neither books nor leaves the field.
  await userEvent.type(search, 'xyz{Enter}')
  expect(names()).toEqual(['Sérvice 7'])
  expect(document.activeElement).toBe(search)
  expect(api.bookings).toEqual([])
})

test('a search without a match says so', async () => {
  open(13)
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search appointment types' }), ' xyz ')
  expect(screen.getByText('No appointment type matches “xyz”.')).toBeTruthy()
  expect(names()).toEqual([])
})

test('a list of 12 services has no search', () => {
  open(12)
  expect(screen.queryByRole('searchbox')).toBeNull()
  expect(names()).toHaveLength(12)
})

function open(count: number): FakeBookingApi {
  const api = new FakeBookingApi()
  vi.stubGlobal('fetch', api.fetch)
  const types = Array.from({ length: count }, (_, i) => ({
    ...SAMPLE_CONSULTATION_TYPE,
    id: `00000000-0000-4000-8000-${String(i + 1).padStart(12, '0')}`,
    name: `Sérvice ${i + 1}`,
    description: `Remedy ${i + 1}`,
  }))
  renderBookingPage(api, makeBookingPageData({}, types))
  return api
}

function names(): string[] {
  return services().map((radio) => radio.closest('label')?.querySelector('.font-semibold')?.textContent ?? '')
}

function services(): HTMLElement[] {
  return screen.queryAllByRole('radio').filter((radio) => radio.matches('[name="appointment-type"]'))
}
