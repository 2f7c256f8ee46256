import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { startProduct } from '#e2e/support/product.ts'
import { findBrowser } from '#tests/support/find-browser.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { serveReactAlone } from './floors/serve-react-alone.ts'
import { measurePage, type PageFigures } from './measure-page.ts'

/** What each figure has to reach; scores at least, everything else at most. */
const GOALS = { performance: 95, accessibility: 100, bestPractices: 100, seo: 95, layoutShift: 0.02 } as const
const BOOKING_GOALS = { ...GOALS, largestContentfulPaintMs: 1_800, scriptBytes: 110_000 } as const
const SCORES: readonly string[] = ['performance', 'accessibility', 'bestPractices', 'seo']

const PAGES: readonly { path: string; runs: number; goals: Partial<PageFigures> }[] = [
  { path: '/book/demo', runs: 5, goals: BOOKING_GOALS },
  { path: '/', runs: 3, goals: GOALS },
  { path: '/pricing', runs: 3, goals: GOALS },
]

const RESULTS = join(import.meta.dirname, 'results')

/** The public pages as `npm start` serves them, measured by Lighthouse on its phone, beside a page of React alone. */
const port = await findFreePort()
const browser = await chromium.launch({
  executablePath: findBrowser(),
  args: ['--no-sandbox', '--disable-background-networking', `--remote-debugging-port=${port}`],
})
const product = await startProduct()
const floor = await serveReactAlone()
try {
  const react = await measurePage(floor.url, port, 5)
  const pages: Record<string, PageFigures> = {}
  const missed: string[] = []
  for (const { path, runs, goals } of PAGES) {
    const figures = await measurePage(product.url + path, port, runs)
    pages[path] = figures
    missed.push(...listMissed(path, figures, goals))
  }
  console.table({ 'React alone': react, ...pages })
  for (const line of missed) console.log(line)
  await mkdir(RESULTS, { recursive: true })
  const record = { measured_at: new Date().toISOString(), node: process.version, chromium: browser.version() }
  const text = JSON.stringify({ ...record, floor: react, pages, missed }, null, 2)
  await writeFile(join(RESULTS, 'lighthouse.json'), `${text}\n`)
  process.exitCode = missed.length === 0 ? 0 : 1
} finally {
  await Promise.all([floor.stop(), product.stop(), browser.close()])
}

function listMissed(path: string, figures: PageFigures, goals: Partial<PageFigures>): string[] {
  // The keys of an object of ours are those of its type.
  return (Object.entries(goals) as [keyof PageFigures, number][])
    .filter(([name, goal]) => (SCORES.includes(name) ? figures[name] < goal : figures[name] > goal))
    .map(([name, goal]) => `missed: ${path} ${name} is ${figures[name]}, to reach: ${goal}`)
}
