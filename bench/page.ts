import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import lighthouse from 'lighthouse'
import { startServer } from '#e2e/support/product.ts'
import { findBrowser } from '#tests/support/find-browser.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { type Figure, recordFigures } from './support/figures.ts'
import { median } from './support/rounds.ts'

type PageFigures = {
  readonly performance: number
  readonly accessibility: number
  readonly bestPractices: number
  readonly seo: number
  readonly largestContentfulPaintMs: number
  readonly layoutShift: number
  /** Size of all scripts that the page downloads, each compressed with gzip, in bytes. */
  readonly scriptBytes: number
  /** The machine's speed during the run, as Lighthouse measures it (`benchmarkIndex`). */
  readonly machineIndex: number
}

type Goal = { readonly figure: keyof PageFigures; readonly what: string; readonly unit: string } & (
  | { readonly atLeast: number }
  | { readonly atMost: number }
)

const GOALS: readonly Goal[] = [
  { figure: 'performance', what: 'performance', unit: 'points', atLeast: 95 },
  { figure: 'accessibility', what: 'accessibility', unit: 'points', atLeast: 100 },
  { figure: 'bestPractices', what: 'best practices', unit: 'points', atLeast: 100 },
  { figure: 'seo', what: 'search engines', unit: 'points', atLeast: 95 },
  { figure: 'layoutShift', what: 'layout shift', unit: 'score', atMost: 0 },
]
const BOOKING_GOALS: readonly Goal[] = [
  ...GOALS,
  { figure: 'largestContentfulPaintMs', what: 'largest contentful paint', unit: 'ms', atMost: 1_800 },
  { figure: 'scriptBytes', what: 'scripts, gzip', unit: 'bytes', atMost: 100_000 },
]

const RUNS = 5
/**
 * Lighthouse emulates a phone by slowing this machine down four times. Below this index, the machine is slower than a desktop
 * computer (Lighthouse, docs/throttling.md), so the emulated phone would be too slow.
 */
const DESKTOP_INDEX = 1_000

/** `node bench/page.ts`: measures the public pages of `npm start` with Lighthouse, as on a mid-range phone. */
const port = await findFreePort()
const browser = await chromium.launch({
  executablePath: findBrowser('whole'),
  args: ['--no-sandbox', '--disable-background-networking', `--remote-debugging-port=${port}`],
})
const product = await startServer()
try {
  const figures: Figure[] = []
  for (const [path, goals] of [
    ['/book/demo', BOOKING_GOALS],
    ['/', GOALS],
    ['/pricing', GOALS],
  ] as const) {
    const page = await measurePage(`${product.url}${path}`)
    figures.push(...goals.map((goal) => toFigure(path, goal, page[goal.figure])))
  }
  await recordFigures('page', figures)
} finally {
  await Promise.all([product.stop(), browser.close()])
}

/** Returns the medians of several runs. If the machine is too slow, repeats runs and keeps the fastest ones. */
async function measurePage(url: string): Promise<PageFigures> {
  const found: PageFigures[] = []
  const isEnough = () => found.filter(({ machineIndex }) => machineIndex >= DESKTOP_INDEX).length >= RUNS
  while (!isEnough() && found.length < 3 * RUNS) {
    // Retry once: on a busy machine the browser sometimes loses a recording.
    found.push(await measureOnce(url).catch(() => measureOnce(url)))
  }
  const fastest = found.sort((a, b) => b.machineIndex - a.machineIndex).slice(0, RUNS)
  const ofRuns = (figure: keyof PageFigures) => median(fastest.map((run) => run[figure]))
  return {
    performance: ofRuns('performance'),
    accessibility: ofRuns('accessibility'),
    bestPractices: ofRuns('bestPractices'),
    seo: ofRuns('seo'),
    largestContentfulPaintMs: ofRuns('largestContentfulPaintMs'),
    layoutShift: ofRuns('layoutShift'),
    scriptBytes: ofRuns('scriptBytes'),
    machineIndex: ofRuns('machineIndex'),
  }
}

async function measureOnce(url: string): Promise<PageFigures> {
  const result = await lighthouse(url, { port, output: 'json', logLevel: 'error' })
  if (result === undefined) throw new Error(`Lighthouse gave no answer for ${url}`)
  const { categories, audits, environment, runtimeError } = result.lhr
  if (runtimeError !== undefined) throw new Error(`${url}: ${runtimeError.message}`)
  const score = (category: string) => Math.round((categories[category]?.score ?? 0) * 100)
  const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN
  return {
    performance: score('performance'),
    accessibility: score('accessibility'),
    bestPractices: score('best-practices'),
    seo: score('seo'),
    largestContentfulPaintMs: Math.round(value('largest-contentful-paint')),
    layoutShift: Math.round(value('cumulative-layout-shift') * 1_000) / 1_000,
    scriptBytes: await weighScripts(audits['network-requests']?.details),
    machineIndex: Math.round(environment.benchmarkIndex),
  }
}

/** Downloads the scripts that Lighthouse saw, and adds up their compressed sizes, as the size limit counts them. */
async function weighScripts(details: unknown): Promise<number> {
  // The audit's details are a table with a row per request; Lighthouse has no more specific type.
  const { items } = details as { items: { url: string; resourceType: string }[] }
  const scripts = new Set(items.filter((item) => item.resourceType === 'Script').map(({ url }) => url))
  const sizes = [...scripts].map(async (script) => {
    const content = await (await fetch(script)).arrayBuffer()
    return gzipSync(new Uint8Array(content), { level: 9 }).length
  })
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
}

function toFigure(path: string, goal: Goal, measured: number): Figure {
  return {
    what: `${path}, ${goal.what}`,
    measured,
    floor: null,
    ratio: null,
    unit: goal.unit,
    toReach: 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`,
    reached: 'atLeast' in goal ? measured >= goal.atLeast : measured <= goal.atMost,
  }
}
