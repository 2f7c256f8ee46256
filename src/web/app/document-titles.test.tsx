// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { APP_PAGES, SANDBOX_PAGES, toDocumentTitle } from '#contract/app-pages.ts'
import { CALENDAR_ID, makeCalendar } from './testing/make-records.ts'
import { renderApp } from './testing/render-page.tsx'
import { NOBODY, SOMEBODY } from './testing/server-answers.ts'
import { stubApi } from './testing/stub-api.ts'

/** What the server writes into the document of each page (its own test: `pages.test.ts`). */
const PAGES = { ...APP_PAGES, ...SANDBOX_PAGES }
type Path = keyof typeof PAGES

/** Those that a visitor sees; an owner is sent on from most of them. */
const FOR_VISITORS: readonly string[] = [
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password',
  '/auth/callback',
  '/auth/email-change',
]

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

// The keys of an object literal of that type.
test.each(Object.keys(PAGES) as Path[])('%s keeps the title that the server gave it', async (path) => {
  const title = toDocumentTitle(PAGES[path])
  stubApi({
    ...(FOR_VISITORS.includes(path) ? NOBODY : SOMEBODY),
    // Where these lead on to is another page.
    'POST /api/auth/email-verification': NEVER,
    'POST /api/auth/email-change': NEVER,
    'POST /api/payment-connections': NEVER,
    'GET /api/sandbox/mails': { mails: [] },
    'GET /api/sandbox/mail-samples': { samples: [] },
  })
  const named = listNames()
  renderApp(`${path.replace(':id', CALENDAR_ID)}?token=t&code=c&state=s`)
  await screen.findByRole('main')
  // Once the calendar is known, its tab has its name.
  const last = path.startsWith('/calendar/') ? toDocumentTitle(makeCalendar().name) : title
  await waitFor(() => expect(named.at(-1)).toBe(last))
  expect(named.filter((name) => name !== last && name !== title)).toEqual([])
})

const NEVER = () => new Promise(() => undefined)

/** What the document is called from now on, one after the other. */
function listNames(): readonly string[] {
  const named: string[] = []
  vi.spyOn(document, 'title', 'set').mockImplementation((title) => void named.push(title))
  return named
}
