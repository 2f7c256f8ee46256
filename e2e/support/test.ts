import { type BrowserContext, test as base, type Page, type Request } from '@playwright/test'
import { BROWSER_STORAGE_ITEMS } from '#contract/information/browser-storage.ts'
import { serverUrl } from './environment.ts'

export { expect } from '@playwright/test'

type Complaints = { readonly heard: string[]; readonly allowed: RegExp[] }

type Fixtures = {
  /** Allows console messages that this test provokes, such as the error for a 409 response. */
  readonly allowConsole: (pattern: RegExp) => void
  /** Opens a page as another person: in a separate browser context, without the session of `page`. */
  readonly newVisitor: () => Promise<Page>
  /** The errors and forbidden requests of this test's pages so far. */
  readonly complaints: Complaints
}

/**
 * Playwright's `test`, which also fails when a page logs a console error (which includes violations of the
 * Content-Security-Policy and failed requests) or has an uncaught error. It also fails when a page breaks a promise of the
 * privacy or cookies page: that it sends no requests to third parties, and stores nothing in the browser except what the cookies
 * page lists.
 */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright sets up the fixtures named in the pattern; this one needs none
  complaints: async ({}, use) => {
    const complaints: Complaints = { heard: [], allowed: [] }
    await use(complaints)
    const unexpected = complaints.heard.filter(
      (text) => !complaints.allowed.some((pattern) => pattern.test(text)),
    )
    if (unexpected.length > 0) throw new Error(`The page complained:\n${unexpected.join('\n')}`)
  },
  allowConsole: async ({ complaints }, use) => {
    await use((pattern) => complaints.allowed.push(pattern))
  },
  context: async ({ context, complaints }, use) => {
    listen(context, complaints)
    await use(context)
    complaints.heard.push(...(await findUnlisted(context)))
  },
  newVisitor: async ({ browser, complaints }, use) => {
    const contexts: BrowserContext[] = []
    await use(async () => {
      const context = await browser.newContext()
      contexts.push(context)
      listen(context, complaints)
      return context.newPage()
    })
    for (const context of contexts) {
      complaints.heard.push(...(await findUnlisted(context)))
      await context.close()
    }
  },
})

/** The browser's error when Playwright inspects a frame without scripts. Emails are shown in such frames. */
const LOOKED_INTO_A_MAIL = /^Blocked script execution in '.*(reminder-preview|\/api\/sandbox\/mail)/

function listen(context: BrowserContext, { heard }: Complaints): void {
  context.on('console', (message) => {
    if (message.type() !== 'error' || LOOKED_INTO_A_MAIL.test(message.text())) return
    const { url, lineNumber } = message.location()
    heard.push(`${message.text()} (${url}:${lineNumber + 1})`)
  })
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    // Navigating to a payment provider's page is allowed, and so are the requests of that page.
    if (request.isNavigationRequest() || !isByOurPage(request)) return
    if (protocol.startsWith('http') && origin !== serverUrl()) heard.push(`asked ${origin}`)
  })
  context.on('weberror', (webError) => {
    const error = webError.error()
    heard.push(`uncaught: ${error.stack ?? error.message}`)
  })
}

/** True when the request comes from a page of Meridian, or from its service worker, which has no frame. */
function isByOurPage(request: Request): boolean {
  return request.serviceWorker() !== null || request.frame().url().startsWith(serverUrl())
}

const LISTED = new Set(BROWSER_STORAGE_ITEMS.map(({ place, name }) => `${place} ${name}`))

/** Finds the data that pages have stored in this browser although the cookies page does not list it. */
async function findUnlisted(context: BrowserContext): Promise<string[]> {
  const { cookies, origins } = await context.storageState()
  // A page that is navigating away cannot be read, so its errors are ignored.
  const tabs = context.pages().filter((page) => page.url().startsWith(serverUrl()))
  const ofTabs = await Promise.all(
    tabs.map((page) => page.evaluate(() => Object.keys(sessionStorage)).catch(() => [])),
  )
  const caches = await Promise.all(
    tabs.map((page) => page.evaluate(() => window.caches?.keys() ?? []).catch(() => [])),
  )
  const kept = [
    ...cookies.map(({ name }) => `cookie ${name}`),
    ...origins.flatMap(({ localStorage }) => localStorage.map(({ name }) => `local storage ${name}`)),
    ...ofTabs.flat().map((name) => `session storage ${name}`),
    ...caches.flat().map((name) => `cache storage ${name}`),
  ]
  return kept.filter((name) => !LISTED.has(name)).map((name) => `kept a ${name}`)
}
