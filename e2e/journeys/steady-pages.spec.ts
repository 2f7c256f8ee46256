import type { Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import {
  bookAppointment,
  buyProfessionalPlan,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/** Maximum cumulative layout shift while a page loads (web.dev/cls): half of the limit for "good". */
const SHIFT_LIMIT = 0.05

/** Delay of each GET request, in ms: long enough to paint the loading state and to separate the responses. */
const HELD_BACK_MS = 600

test('nothing an owner looks at moves when the answers come', async ({ page }) => {
  const { calendar, date } = await practice(page)
  await page.route('**/api/**', async (route) => {
    if (route.request().method() === 'GET') await new Promise((resolve) => setTimeout(resolve, HELD_BACK_MS))
    // If the test has left the page in the meantime, its request can no longer continue.
    await route.continue().catch(() => {})
  })
  await watchShifts(page)

  const settings = `/calendar/${calendar.id}/settings`
  const screens = [
    { path: '/dashboard', loading: 'Loading your calendars...', shown: 'Ada Lovelace' },
    {
      path: `${settings}?tab=appointments`,
      loading: 'Loading appointments...',
      shown: 'Ada Lovelace',
    },
    {
      path: `${settings}?tab=appointments&view=week&date=${date}`,
      loading: 'Loading appointments...',
      shown: 'Ada Lovelace',
    },
    { path: `${settings}?tab=types`, loading: 'Loading appointment types...', shown: '45 min' },
    { path: `${settings}?tab=availability`, loading: 'Loading availability...', shown: 'Save settings' },
    {
      path: `${settings}?tab=payments`,
      loading: 'Loading payment settings...',
      shown: 'Enable payment for appointments',
    },
    {
      path: `${settings}?tab=integrations`,
      loading: 'Loading integrations...',
      shown: 'Connect to Google Calendar',
    },
    { path: '/profile', loading: 'Loading your profile...', shown: 'Edit Profile' },
  ]
  for (const { path, loading, shown } of screens) {
    // Open the page by its address: the browser does not count shifts within half a second of a click.
    await page.goto(path)
    await expect(page.getByText(shown).first(), path).toBeVisible()
    expect(await readLoadings(page), path).toContain(loading)
    await expect(page.getByText(/^Loading .*\.\.\.$/), path).toHaveCount(0)
    const shifts = await readShifts(page)
    const sum = shifts.reduce((total, { value }) => total + value, 0)
    expect(sum, `${path} moved: ${JSON.stringify(shifts, null, 2)}`).toBeLessThanOrEqual(SHIFT_LIMIT)
  }
})

test('nothing a customer looks at moves when the first free times come', { tag: '@phone' }, async ({
  page,
  newVisitor,
}) => {
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const plain = await createCalendar(ownerPage)
  const { calendar } = await practice(await newVisitor())
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, HELD_BACK_MS))
    await route.continue().catch(() => {})
  })
  await watchShifts(page)
  // The booking page without types, and with a preselected type.
  for (const { slug } of [plain, calendar]) {
    await page.goto(`/book/${slug}`)
    await expect(page.getByRole('group', { name: /^Next: / })).toBeVisible()
    const shifts = await readShifts(page)
    const sum = shifts.reduce((total, { value }) => total + value, 0)
    expect(sum, `it moved: ${JSON.stringify(shifts, null, 2)}`).toBeLessThanOrEqual(SHIFT_LIMIT)
  }
})

test('nothing a customer looks at moves when the logo comes', { tag: ['@phone', '@slow'] }, async ({
  page,
  newVisitor,
}) => {
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage)
  await buyProfessionalPlan(ownerPage)
  await setLogo(ownerPage, calendar)
  const { manage_token } = await bookAppointment(page.request, calendar, {
    startsAt: toInstant(nextTuesday(), '11:00'),
    person: makePerson('Ada Lovelace'),
  })
  await page.route('**/branding/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, HELD_BACK_MS))
    await route.continue().catch(() => {})
  })
  await watchShifts(page)
  for (const path of [`/book/${calendar.slug}`, `/manage/${manage_token}`]) {
    const logo = page.waitForResponse('**/branding/**')
    await page.goto(path)
    await (await logo).finished()
    await expect(page.getByText(/^Loading/)).toHaveCount(0)
    const shifts = await readShifts(page)
    const sum = shifts.reduce((total, { value }) => total + value, 0)
    expect(sum, `it moved: ${JSON.stringify(shifts, null, 2)}`).toBeLessThanOrEqual(SHIFT_LIMIT)
  }
})

/** Uploads a logo of the maximum width. On a phone, it stands alone above the name. */
async function setLogo(page: Page, { id }: Calendar) {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="160"><rect width="400" height="160"/></svg>'
  const file = Buffer.from(svg).toString('base64')
  const branding = `/api/calendars/${id}/branding`
  const logo = await page.request.post(`${branding}/logo`, { data: { file } })
  const saved = await page.request.patch(branding, { data: { logo_hash: (await logo.json()).hash } })
  expect(saved.status(), await saved.text()).toBe(200)
}

type Shift = { readonly value: number; readonly moved: readonly string[] }
type TimeLimitMessage = { shifts: Shift[]; loadings: string[]; takeRest: () => void }

/** Creates a typical calendar with a type, hours, and an appointment. */
async function practice(page: Page) {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page, {
    category: 'Teacher',
    description: 'Yoga by the river, in small groups and alone.',
  })
  const type = await createAppointmentType(page, calendar, { name: 'Massage', duration: 45 })
  const date = nextTuesday()
  await bookAppointment(page.context().request, calendar, {
    startsAt: toInstant(date, '11:00'),
    person: makePerson('Ada Lovelace'),
    typeId: type.id,
  })
  return { calendar, date }
}

/**
 * Records layout shifts with the Layout Instability API, which only Chromium has and TypeScript does not know. Also records the
 * loading texts of the page, because on a busy machine they may disappear before the test can read them.
 */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Entry = PerformanceEntry & {
      value: number
      hadRecentInput: boolean
      sources: { node: Node | null }[]
    }
    const watched: TimeLimitMessage = {
      shifts: [],
      loadings: [],
      takeRest: () => take(observer.takeRecords()),
    }
    const take = (entries: PerformanceEntry[]) => {
      for (const { value, hadRecentInput, sources } of entries as Entry[]) {
        if (hadRecentInput) continue
        const moved = sources.map(({ node }) => `${node?.nodeName}: ${node?.textContent?.slice(0, 60)}`)
        watched.shifts.push({ value, moved })
      }
    }
    const observer = new PerformanceObserver((list) => take(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    Object.assign(window, { watched })
    const writeDown = () => {
      for (const element of document.querySelectorAll('[role=status] *')) {
        const text = element.textContent
        if (/^Loading .*\.\.\.$/.test(text) && element.checkVisibility()) watched.loadings.push(text)
      }
    }
    new MutationObserver(writeDown).observe(document, { childList: true, subtree: true })
  })
}

/** Returns the loading texts that the page has shown so far. */
function readLoadings(page: Page): Promise<readonly string[]> {
  // `watchShifts` has set this property.
  return page.evaluate(() => (window as unknown as { watched: TimeLimitMessage }).watched.loadings)
}

/** Reads the shifts after two frames, so that the last change has been painted. */
async function readShifts(page: Page): Promise<readonly Shift[]> {
  return page.evaluate(async () => {
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame)
    const { watched } = window as unknown as { watched: TimeLimitMessage } // set by `watchShifts`
    watched.takeRest()
    return watched.shifts
  })
}
