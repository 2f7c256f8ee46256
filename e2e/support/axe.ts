import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, type Frame, type Page } from '@playwright/test'
import type { AxeResults, ContextObject, RunOptions } from 'axe-core'
import { finishTransitions } from './finish-transitions.ts'
import { takePicture } from './take-picture.ts'

const STANDARDS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

const NOT_READ = [
  // Empty elements at both ends of a menu that pass the focus on and never keep it.
  '[data-base-ui-focus-guard]',
  // A mail in a frame without scripts, where axe cannot run.
  'iframe[sandbox]',
  // The booking page beside the form of a look: a document with landmarks of its own, which is read by itself.
  'iframe[src*="?preview"]',
]

/** The program of axe in its small form. The page receives half as much text. */
const program = readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Fails when axe objects to anything on the page as it is now, by WCAG 2.2 AA or its best practices. `npm run screenshots` takes a picture. */
export async function expectNoAxeFindings(page: Page): Promise<void> {
  // Axe in the page asks axe in each frame. Frames of other sites would not answer, and the pages have none.
  for (const frame of page.frames()) {
    if (await isRead(frame)) await loadAxe(frame)
  }
  await finishTransitions(page)
  await takePicture(page)
  const context: ContextObject = { exclude: NOT_READ }
  const options: RunOptions = {
    runOnly: { type: 'tag', values: STANDARDS },
    // Only findings are wanted whole, not what passed.
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

/** Loads axe into a document that does not have it yet. Loading takes longer than reading the page. */
async function loadAxe(frame: Frame): Promise<void> {
  if (await frame.evaluate(() => 'axe' in window)) return
  await frame.evaluate(await program)
}
