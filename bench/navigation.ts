import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, chromium, type Page } from '@playwright/test'
import { startProduct } from '#e2e/support/product.ts'
import { DEMO_LOGIN } from '#server/app/demo-account.ts'
import { findBrowser } from '#tests/support/find-browser.ts'
import { serveBarePages } from './floors/serve-bare-pages.ts'
import { keepFigures } from './support/figures.ts'
import { median } from './support/rounds.ts'

/**
 * How long it takes from a press until what was asked for is painted, in a real browser on the built product, as `npm start`
 * serves it: `node bench/navigation.ts`. Links are pointed at before they are pressed, as a mouse does.
 */
const ROUNDS = 7
const AT_MOST_MS = 100
/** The login is downloaded apart from the pages that lead there, and asked for by fewer people. */
const LOGIN_AT_MOST_MS = 150
/** So long a hand takes from reaching a link to pressing it; browsers count on a fifth of a second (Speculation Rules). */
const POINTED_AT_MS = 400
/** Nobody presses before they have looked. */
const LOOKING_MS = 700

/** Something to press, by its selector and text, and what is there when it has worked. */
type Step = { readonly name: string; readonly press: [selector: string, text: string]; readonly sees: string }

const TABS: readonly Step[] = [
  { name: 'Availability', press: ['[role=tab]', 'Availability'], sees: 'Weekly schedule' },
  { name: 'Appointments', press: ['[role=tab]', 'Appointments'], sees: 'BK-' },
  { name: 'Appointment Types', press: ['[role=tab]', 'Appointment Types'], sees: 'Couples session' },
  { name: 'Payments', press: ['[role=tab]', 'Payments'], sees: 'Enable payment for appointments' },
  { name: 'Transactions', press: ['[role=tab]', 'Transactions'], sees: 'No Transactions Yet' },
  { name: 'Reminders', press: ['[role=tab]', 'Reminders'], sees: 'Your next appointment' },
  { name: 'Locations', press: ['[role=tab]', 'Locations'], sees: 'Riverside Practice' },
  { name: 'General', press: ['[role=tab]', 'General'], sees: 'Danger Zone' },
]
const OWNER_PAGES: readonly Step[] = [
  { name: 'Dashboard → calendar', press: ['main a', 'Manage'], sees: 'Back to Dashboard' },
  { name: 'calendar → Dashboard', press: ['main a', 'Back to Dashboard'], sees: 'Upcoming' },
]
type Way = { readonly name: string; readonly from: string; readonly to: string; readonly atMostMs?: number }
const PUBLIC_PAGES: readonly Way[] = [
  { name: 'home → pricing', from: '/', to: '/pricing' },
  { name: 'pricing → about', from: '/pricing', to: '/about' },
  { name: 'about → login', from: '/about', to: '/login', atMostMs: LOGIN_AT_MOST_MS },
]
/** Between pages of one heading: what the browser itself takes. */
const FLOOR: Way = { name: 'a heading for another', from: '/', to: '/second' }

const BROWSER_ARGS = ['--no-sandbox', '--disable-background-networking']

const product = await startProduct()
const bare = await serveBarePages()
const browser = await chromium.launch({
  executablePath: findBrowser('whole'),
  args: BROWSER_ARGS,
})
try {
  const found = new Map<string, number[]>()
  const note = (name: string, ms: number) => found.set(name, [...(found.get(name) ?? []), ms])
  const page = await openPage(browser)
  await signIn(page)
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const step of [...OWNER_PAGES, ...OWNER_PAGES.slice(0, 1), ...TABS, ...OWNER_PAGES.slice(1)]) {
      note(step.name, await timeStep(page, step))
    }
  }
  await timeLinks(browser, note)
  const timeOf = ({ name }: { name: string }) => median(found.get(name) ?? [])
  await keepFigures(
    'navigation',
    [...OWNER_PAGES, ...TABS, ...PUBLIC_PAGES].map((step) => {
      const measured = timeOf(step)
      const floor = 'from' in step ? timeOf(FLOOR) : null
      const atMostMs = ('atMostMs' in step && step.atMostMs) || AT_MOST_MS
      return {
        what: `${step.name}, from the press to the picture`,
        measured,
        floor,
        ratio: floor === null ? null : measured / floor,
        unit: 'ms',
        toReach: `under ${atMostMs} ms`,
        reached: measured < atMostMs,
      }
    }),
    Object.fromEntries(found),
  )
} finally {
  await Promise.all([browser.close(), product.stop(), bare.stop()])
}

async function openPage(where: Browser): Promise<Page> {
  const context = await where.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  return context.newPage()
}

async function signIn(page: Page): Promise<void> {
  const answer = await page.context().request.post(`${product.url}/api/auth/sign-in`, { data: DEMO_LOGIN })
  if (!answer.ok()) throw new Error(await answer.text())
  await page.goto(`${product.url}/dashboard`)
  await settle(page)
}

async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await pause(LOOKING_MS)
}

/** A change of what is shown within one page, in milliseconds. */
async function timeStep(page: Page, { name, press: [selector, text], sees }: Step): Promise<number> {
  await settle(page)
  const control = page.locator(selector).filter({ hasText: text }).filter({ visible: true }).first()
  await control.hover()
  await pause(POINTED_AT_MS)
  const ms = await control.evaluate(
    (element, wanted) =>
      new Promise<number>((resolve) => {
        const begunMs = performance.now()
        const look = () => {
          const isThere = document.querySelector('main')?.textContent.includes(wanted)
          if (isThere || performance.now() - begunMs > 5_000)
            setTimeout(() => resolve(performance.now() - begunMs))
          else requestAnimationFrame(look)
        }
        ;(element as HTMLElement).click()
        requestAnimationFrame(look)
      }),
    sees,
  )
  if (ms > 5_000) throw new Error(`${name}: "${sees}" did not come`)
  return ms
}

/** From a link to the first picture of another page, in milliseconds, whether a document is loaded for it or not. */
async function timeLinks(where: Browser, note: (name: string, ms: number) => void): Promise<void> {
  const page = await openPage(where)
  const ways = [...PUBLIC_PAGES.map((way) => ({ ...way, url: product.url })), { ...FLOOR, url: bare.url }]
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { name, from, to, url } of ways) {
      await page.goto(url + from)
      await settle(page)
      const left = await page.locator('h1').textContent()
      const link = page.locator(`a[href="${to}"]`).filter({ visible: true }).first()
      await page.evaluate(watchPress)
      await link.hover()
      await pause(POINTED_AT_MS)
      await link.click()
      note(name, await timePicture(page, left))
    }
  }
}

/** Notes when a link is pressed, and when what it leads to within the document is painted, both since the epoch. */
function watchPress(): void {
  const now = () => performance.timeOrigin + performance.now()
  const before = document.querySelector('h1')?.textContent
  addEventListener(
    'click',
    () => {
      sessionStorage.setItem('pressed', String(now()))
      const look = () => {
        if (document.querySelector('h1')?.textContent === before) requestAnimationFrame(look)
        else setTimeout(() => sessionStorage.setItem('painted', String(now())))
      }
      sessionStorage.removeItem('painted')
      requestAnimationFrame(look)
    },
    { capture: true, once: true },
  )
}

async function timePicture(page: Page, left: string | null): Promise<number> {
  const picture = await page.waitForFunction((headingLeft) => {
    const heading = document.querySelector('h1')?.textContent
    if (heading === undefined || heading === headingLeft) return null
    const [first] = performance.getEntriesByName('first-contentful-paint')
    const loadedMs = performance.timeOrigin + (first?.startTime ?? 0)
    const pressedMs = Number(sessionStorage.getItem('pressed'))
    const pictureMs = Number(sessionStorage.getItem('painted') ?? loadedMs)
    return pictureMs > pressedMs ? pictureMs - pressedMs : null
  }, left)
  return Number(await picture.jsonValue())
}
