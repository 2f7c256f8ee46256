import { type BrowserContext, test as base, type Page, type Request } from '@playwright/test'
import { STORED_IN_BROWSER } from '#contract/information/browser-storage.ts'
import { productUrl } from './environment.ts'

export { expect } from '@playwright/test'

type Complaints = { readonly heard: string[]; readonly allowed: RegExp[] }

type Fixtures = {
  /** Allows what the console is going to say in this test, such as the 409 that the journey provokes. */
  readonly allowConsole: (pattern: RegExp) => void
  /** Opens a page as somebody else: another browser, without the session of `page`. */
  readonly newVisitor: () => Promise<Page>
  /** What the pages of this test said that they should not have said. */
  readonly complaints: Complaints
}

/**
 * Playwright's `test`, where a page that complains fails the test: errors in the console, which violations of the
 * Content-Security-Policy and failed requests are too, and uncaught errors. So does a page that breaks what the privacy and the
 * cookies page promise: that it asks nobody else for anything, and keeps nothing in the browser but what is listed.
 */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs; nothing here
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

/** What the browser says when Playwright looks into a frame without scripts, as every mail is shown in. */
const LOOKED_INTO_A_MAIL = /^Blocked script execution in '.*(reminder-preview|\/api\/sandbox\/mail)/

function listen(context: BrowserContext, { heard }: Complaints): void {
  context.on('console', (message) => {
    if (message.type() !== 'error' || LOOKED_INTO_A_MAIL.test(message.text())) return
    const { url, lineNumber } = message.location()
    heard.push(`${message.text()} (${url}:${lineNumber + 1})`)
  })
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url())
    // To go to a payment provider's page is no question; what that page loads is its own business.
    if (request.isNavigationRequest() || !isByOurPage(request)) return
    if (protocol.startsWith('http') && origin !== productUrl()) heard.push(`asked ${origin}`)
  })
  context.on('weberror', (webError) => {
    const error = webError.error()
    heard.push(`uncaught: ${error.stack ?? error.message}`)
  })
}

/** By a page of the product, or by its service worker, which has no frame. */
function isByOurPage(request: Request): boolean {
  return request.serviceWorker() !== null || request.frame().url().startsWith(productUrl())
}

const LISTED = new Set(STORED_IN_BROWSER.map(({ place, name }) => `${place} ${name}`))

/** What the pages keep in this browser although the cookies page does not tell of it. */
async function findUnlisted(context: BrowserContext): Promise<string[]> {
  const { cookies, origins } = await context.storageState()
  // A page that is on its way to another answers no more.
  const tabs = context.pages().filter((page) => page.url().startsWith(productUrl()))
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
