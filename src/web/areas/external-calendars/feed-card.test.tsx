// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CALENDAR_ID } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { CalendarFeedCard } from './feed-card.tsx'

const PATH = `/api/calendars/${CALENDAR_ID}/feed`
const URL = 'webcal://meridian.example/api/feeds/secret'

test('an address is created and copied', async () => {
  const api = stubApi({ [`GET ${PATH}`]: { url: null } })
  const { user } = renderComponent(<CalendarFeedCard calendarId={CALENDAR_ID} />)
  api.answer(`POST ${PATH}`, { url: URL })
  await user.click(await screen.findByRole('button', { name: 'Create address' }))
  expect(await screen.findByText(URL)).toBeDefined()
  expect(screen.getByText(/^Anyone with this address can read/)).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Copy the feed address' }))
  expect(await navigator.clipboard.readText()).toBe(URL)
})

test('it is revoked after a question', async () => {
  const api = stubApi({ [`GET ${PATH}`]: { url: URL }, [`DELETE ${PATH}`]: { url: null } })
  const { user } = renderComponent(<CalendarFeedCard calendarId={CALENDAR_ID} />)
  await user.click(await screen.findByRole('button', { name: 'Revoke address' }))
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Revoke the address?' }))
  expect(api.to(`DELETE ${PATH}`)).toEqual([])
  await user.click(dialog.getByRole('button', { name: 'Revoke' }))
  expect(await screen.findByText('Address revoked')).toBeDefined()
  expect(await screen.findByRole('button', { name: 'Create address' })).toBeDefined()
})

test('what does not work is said', async () => {
  stubApi({
    [`GET ${PATH}`]: { url: URL },
    [`DELETE ${PATH}`]: errorResponse('server.unexpected'),
  })
  const { user } = renderComponent(<CalendarFeedCard calendarId={CALENDAR_ID} />)
  await user.click(await screen.findByRole('button', { name: 'Revoke address' }))
  await user.click(await screen.findByRole('button', { name: 'Revoke' }))
  expect(await screen.findByText(/^Failed to revoke the address: /)).toBeDefined()
})

test('shows that it is loading', () => {
  stubApi({ [`GET ${PATH}`]: heldResponse({}).answer })
  renderComponent(<CalendarFeedCard calendarId={CALENDAR_ID} />)
  expect(screen.getByText('Loading the address...')).toBeDefined()
})

test('shows an error when loading fails, and can be retried', async () => {
  const api = stubApi({ [`GET ${PATH}`]: errorResponse('calendar.forbidden') })
  const { user } = renderComponent(<CalendarFeedCard calendarId={CALENDAR_ID} />)
  expect(await screen.findByText('Failed to load the address')).toBeDefined()
  api.answer(`GET ${PATH}`, { url: URL })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText(URL)).toBeDefined()
})
