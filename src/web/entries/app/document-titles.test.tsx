// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Customer } from '#contract/customers/customers.ts'
import { APP_PAGES, toDocumentTitle } from '#contract/pages/app-pages.ts'
import { CALENDAR_ID, makeCalendar } from '#web/testing/make-records.ts'
import { CALENDAR_REQUEST, LOGGED_IN_RESPONSE } from '#web/testing/server-answers.ts'
import { stubApi } from '#web/testing/stub-api.ts'
import { renderApp } from './testing/render-app.tsx'

/** A path whose title the server writes into the document (tested in `pages.test.ts`). */
type Path = keyof typeof APP_PAGES

const CUSTOMER: Customer = {
  id: 'c0000000-0000-4000-8000-000000000001',
  client_id: 'client-1',
  name: 'Ada Lovelace',
  email: 'ada@example.org',
  phone: null,
  phone_numbers: [],
  appointments: 0,
  latest_at: null,
  created_at: '2026-11-01T09:00:00Z',
  erased_at: null,
  notes: null,
  money: [],
}

/** The calendar or customer whose name becomes the page's title once the record has loaded. */
const RECORD_NAMES: Readonly<Partial<Record<Path, string>>> = {
  '/calendar/:id': makeCalendar().name,
  '/calendar/:id/settings': makeCalendar().name,
  '/calendar/:id/customers/:customerId': CUSTOMER.name,
}

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

// The cast is safe, because `APP_PAGES` is an object literal of that type.
test.each(Object.keys(APP_PAGES) as Path[])('%s keeps the title that the server gave it', async (path) => {
  const title = toDocumentTitle(APP_PAGES[path])
  stubApi({
    ...LOGGED_IN_RESPONSE,
    // Without a response, the page does not move on to another page.
    'POST /api/payment-connections': NEVER,
    [`${CALENDAR_REQUEST}/customers`]: { customers: [], total: 0 },
    [`${CALENDAR_REQUEST}/customers/${CUSTOMER.id}`]: CUSTOMER,
  })
  const named = listNames()
  const address = path.replace(':id', CALENDAR_ID).replace(':customerId', CUSTOMER.id)
  renderApp(`${address}?code=c&state=s`)
  await screen.findByRole('main')
  const last = toDocumentTitle(RECORD_NAMES[path] ?? APP_PAGES[path])
  await waitFor(() => expect(named.at(-1)).toBe(last))
  expect(named.filter((name) => name !== last && name !== title)).toEqual([])
})

const NEVER = () => new Promise(() => undefined)

/** Records the titles that the document gets from now on, in order. */
function listNames(): readonly string[] {
  const named: string[] = []
  vi.spyOn(document, 'title', 'set').mockImplementation((title) => void named.push(title))
  return named
}
