import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, type Frame, type Page } from '@playwright/test'
import type { AxeResults, ContextObject, RunOptions } from 'axe-core'
import { finishTransitions } from './finish-transitions.ts'
import { takeScreenshot } from './take-picture.ts'

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const NOT_READ = [
  // Empty focus guards at both ends of a menu. They pass the focus on and never keep it.
  '[data-base-ui-focus-guard]',
  // An email preview is a frame without scripts, so axe cannot run inside it.
  'iframe[sandbox]',
  // The preview of the booking page beside the branding form. It is a document with its own landmarks, and axe checks it
  // separately.
  'iframe[src*="?preview"]',
]

/** The minified source of axe, which is half as large to send to the page. */
const program = readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * Fails when axe finds a violation of WCAG 2.2 AA or of its best practices on the current page. `npm run screenshots` also takes
 * a picture.
 */
export async function expectNoAxeFindings(page: Page): Promise<void> {
  // Axe in the page asks axe in each frame. Axe would get no response from frames of other sites, but the pages have none.
  for (const frame of page.frames()) {
    if (await isRead(frame)) await loadAxe(frame)
  }
  await finishTransitions(page)
  await takeScreenshot(page)
  const context: ContextObject = { exclude: NOT_READ }
  const options: RunOptions = {
    runOnly: { type: 'tag', values: STANDARDS },
    // Report only violations in full, not the passed checks.
    resultTypes: ['violations'],
  }
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)})`,
  )
  const findings = violations.flatMap(({ id, impact, help, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${id} (${impact}): ${help}\n  ${target.join(' ')}\n  ${failureSummary}`,
    ),
  )
  expect(findings).toEqual([])
}

async function isRead(frame: Frame): Promise<boolean> {
  if (frame.parentFrame() === null) return true
  const element = await frame.frameElement()
  return element.evaluate(
    (node, selectors) => !(node instanceof Element && node.matches(selectors)),
    NOT_READ.join(', '),
  )
}

/** Loads axe into a document that does not have it yet, because loading takes longer than the check itself. */
async function loadAxe(frame: Frame): Promise<void> {
  if (await frame.evaluate(() => 'axe' in window)) return
  await frame.evaluate(await program)
}
