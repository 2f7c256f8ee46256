import { chromium, type Page } from '@playwright/test'
import { openDemo } from '#e2e/support/open-demo.ts'
import { startServer } from '#e2e/support/product.ts'
import { findBrowser } from '#tests/support/find-browser.ts'
import { type Figure, recordFigures } from './support/figures.ts'
import { median } from './support/rounds.ts'

/** The sidebar's entries, in the order in which an owner visits them. */
const ENTRIES = ['Today', 'Appointments', 'Customers', 'Insights', 'Profile', 'Dashboard']
const MOST_MS = 100
const ROUNDS = 7
/** Time between two clicks, in milliseconds: longer than the slowest page takes to load its data. */
const READING_MS = 800

/**
 * `node bench/navigation.ts`: measures the time from a click in the owner's sidebar to the next page's first painted frame with its
 * heading, as an owner sees it after having opened each page once. Medians of several rounds in the demo practice.
 */
const product = await startServer()
const browser = await chromium.launch({
  executablePath: findBrowser('whole'),
  args: ['--no-sandbox', '--disable-background-networking'],
})
try {
  const page = await browser.newPage({ baseURL: product.url, viewport: { width: 1280, height: 800 } })
  await openDemo(page)
  await page.goto('/dashboard')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Today' }).waitFor()
  const times = new Map<string, number[]>(ENTRIES.map((entry) => [entry, []]))
  // The first round loads the pages.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const entry of ENTRIES) {
      const elapsedMs = await navigate(page, entry)
      if (round > 0) times.get(entry)?.push(elapsedMs)
      // The next click comes after the page has been refreshed: an owner reads before going on.
      await page.waitForTimeout(READING_MS)
    }
  }
  await recordFigures(
    'navigation',
    ENTRIES.map((entry) => toFigure(entry, median(times.get(entry) ?? []))),
  )
} finally {
  await browser.close()
  await product.stop()
}

/** Clicks an entry of the sidebar. Returns the milliseconds until its page is painted. */
function navigate(page: Page, entry: string): Promise<number> {
  return page.evaluate(
    ([name, path]) =>
      new Promise<number>((resolve, reject) => {
        const links = [...document.querySelectorAll<HTMLAnchorElement>('nav a')]
        const link = links.find((candidate) => candidate.textContent?.startsWith(name))
        if (link === undefined) return reject(new Error(`No entry ${name}`))
        const before = document.querySelector('h1')
        const startMs = performance.now()
        link.click()
        const look = () => {
          const heading = document.querySelector('h1')
          const isThere = location.pathname === path && heading !== null && heading !== before
          // The next frame begins after the heading is painted.
          if (isThere) requestAnimationFrame(() => resolve(performance.now() - startMs))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }),
    [entry, `/${entry.toLowerCase()}`] as const,
  )
}

function toFigure(entry: string, measured: number): Figure {
  return {
    what: `${entry}, from the click to the page`,
    measured,
    floor: null,
    ratio: null,
    unit: 'ms',
    toReach: `at most ${MOST_MS}`,
    reached: measured <= MOST_MS,
  }
}
