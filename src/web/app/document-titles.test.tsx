// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { APP_PAGES, SANDBOX_PAGES, toDocumentTitle } from '#contract/app-pages.ts'
import { CALENDAR_ID, makeCalendar } from '#web/testing/make-records.ts'
import { SOMEBODY } from '#web/testing/server-answers.ts'
import { stubApi } from '#web/testing/stub-api.ts'
import { renderApp } from './testing/render-app.tsx'

/** What the server writes into the document of each page (its own test: `pages.test.ts`). */
const PAGES = { ...APP_PAGES, ...SANDBOX_PAGES }
type Path = keyof typeof PAGES

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
    ...SOMEBODY,
    // Where it leads on to is another page.
    'POST /api/payment-connections': NEVER,
    'GET /api/sandbox/mails': { mails: [] },
    'GET /api/sandbox/mail-samples': { samples: [] },
  })
  const named = listNames()
  renderApp(`${path.replace(':id', CALENDAR_ID)}?code=c&state=s`)
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
