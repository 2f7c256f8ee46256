import { type BrowserContext, test as base, type Page } from '@playwright/test'

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
 * Content-Security-Policy and failed requests are too, and uncaught errors.
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
  },
  newVisitor: async ({ browser, complaints }, use) => {
    const contexts: BrowserContext[] = []
    await use(async () => {
      const context = await browser.newContext()
      contexts.push(context)
      listen(context, complaints)
      return context.newPage()
    })
    for (const context of contexts) await context.close()
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
  context.on('weberror', (webError) => {
    const error = webError.error()
    heard.push(`uncaught: ${error.stack ?? error.message}`)
  })
}
