import { chromium } from '@playwright/test'
import { startProduct } from '#e2e/support/product.ts'
import { findBrowser } from '#tests/support/find-browser.ts'
import { findFreePort } from '#tests/support/free-port.ts'
import { serveReactAlone } from './floors/serve-react-alone.ts'
import { measurePage, type PageFigures } from './measure-page.ts'
import { brandDemo } from './support/brand-demo.ts'
import { type Figure, keepFigures } from './support/figures.ts'

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

/** A look of its own costs the page no point. */
const BRANDED_GOALS = BOOKING_GOALS.map((goal) => (goal.unit === 'points' ? { ...goal, atLeast: 100 } : goal))

const RUNS = 5
type MeasuredPage = { readonly name: string; readonly url: string; readonly goals: readonly Goal[] }

/** The public pages as `npm start` serves them, measured by Lighthouse on its phone, beside a page of React alone. */
const port = await findFreePort()
const browser = await chromium.launch({
  executablePath: findBrowser('whole'),
  args: ['--no-sandbox', '--disable-background-networking', `--remote-debugging-port=${port}`],
})
// A plan with everything: the demo practice gets a look and a domain.
const product = await startProduct(undefined, { DEFAULT_PLAN: 'enterprise' })
const floor = await serveReactAlone()
try {
  const react = await measurePage(floor.url, port, RUNS)
  const pages: Record<string, PageFigures> = {}
  const figures: Figure[] = []
  const measure = async ({ name, url, goals }: MeasuredPage) => {
    const page = await measurePage(url, port, RUNS)
    pages[name] = page
    figures.push(...goals.map((goal) => toFigure(name, goal, page, react)))
  }
  await measure({ name: '/book/demo', url: `${product.url}/book/demo`, goals: BOOKING_GOALS })
  await measure({ name: '/', url: `${product.url}/`, goals: GOALS })
  await measure({ name: '/pricing', url: `${product.url}/pricing`, goals: GOALS })
  const branded = await brandDemo(product.url)
  await measure({
    name: 'booking page with a look on a domain of its own',
    url: branded,
    goals: BRANDED_GOALS,
  })
  console.table({ 'React alone': react, ...pages })
  await keepFigures('lighthouse', figures, { chromium: browser.version(), react, pages })
  process.exitCode = figures.every(({ reached }) => reached) ? 0 : 1
} finally {
  await Promise.all([floor.stop(), product.stop(), browser.close()])
}

/** Scores stand alone; milliseconds and bytes beside what React alone takes. */
function toFigure(name: string, goal: Goal, page: PageFigures, react: PageFigures): Figure {
  const measured = page[goal.figure]
  const floor = goal.unit === 'ms' || goal.unit === 'bytes' ? react[goal.figure] : null
  return {
    what: `${name}, ${goal.what}`,
    measured,
    floor,
    ratio: floor === null ? null : measured / floor,
    unit: goal.unit,
    toReach: 'atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${goal.atMost}`,
    reached: 'atLeast' in goal ? measured >= goal.atLeast : measured <= goal.atMost,
  }
}
