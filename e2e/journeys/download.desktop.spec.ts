import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import {
  chooseDate,
  chooseTime,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/** Maximum size of the booking page's scripts, in bytes after gzip. */
const SCRIPT_BUDGET = 100_000

/** Maximum size of the part for questions, and of that for series, in bytes after gzip. */
const PART_BUDGET = 3_000

test('the booking page downloads at most 100 kB of scripts and shows itself without asking the API', async ({
  page,
}) => {
  const scripts = new Set<string>()
  const asked: string[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') scripts.add(response.url())
    if (response.url().includes('/api/')) asked.push(response.url())
  })
  await page.goto('/book/demo', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { name: 'Amara Osei' })).toBeVisible()
  // The scripts start after the page is painted, which on a busy machine is later than the network's first pause.
  const [, list = ''] = /const scripts = (\[.*\])/.exec(await page.content()) ?? []
  const started = () => [...scripts].map((script) => new URL(script).pathname)
  await expect.poll(started).toEqual(expect.arrayContaining(JSON.parse(list)))
  const sizes = await Promise.all([...scripts].map((script) => weigh(page, script)))
  expect(sizes.length).toBeGreaterThan(1)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(SCRIPT_BUDGET)
  expect(asked).toEqual([])
})

test('only a page with questions downloads their part, and only one with series the other, of at most 3 kB each', async ({
  page,
  newVisitor,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  /** Books up to the details, and lists the scripts that this took. */
  const openDetails = async (field?: string) => {
    const visitor = await newVisitor()
    const scripts = new Set<string>()
    visitor.on('response', (response) => {
      if (response.request().resourceType() === 'script') scripts.add(response.url())
    })
    await visitor.goto(`/book/${calendar.slug}`, { waitUntil: 'networkidle' })
    await chooseDate(visitor, nextTuesday())
    await chooseTime(visitor, '2:00 PM')
    await expect(visitor.getByLabel('Full Name')).toBeVisible()
    if (field !== undefined) await expect(visitor.getByLabel(field)).toBeVisible()
    await visitor.waitForLoadState('networkidle')
    return scripts
  }
  const plain = await openDetails()
  const question = {
    id: crypto.randomUUID(),
    appointment_type_id: null,
    kind: 'text',
    label: 'What brings you here?',
    help: null,
    is_required: true,
    is_private: false,
    choices: [],
    shown_if: null,
  }
  const path = `/api/calendars/${calendar.id}/questions`
  const ask = (questions: object[]) => page.request.put(path, { data: { questions } })
  expect((await ask([question])).status()).toBe(200)
  const asking = await openDetails(question.label)
  expect((await ask([])).status()).toBe(200)
  await createAppointmentType(page, calendar, {
    name: 'Lesson',
    series_rule: { every_weeks: [1], most_dates: 8 },
  })
  const repeating = await openDetails('How often')
  for (const scripts of [asking, repeating]) {
    // The information pages share another chunk with such fields.
    const parts = [...scripts].filter(
      (script) => !plain.has(script) && !script.includes('/information-parts-'),
    )
    expect(parts.length).toBeGreaterThan(0)
    const sizes = await Promise.all(parts.map((part) => weigh(page, part)))
    const total = sizes.reduce((sum, size) => sum + size, 0)
    expect(total, `${parts} ${sizes}`).toBeLessThanOrEqual(PART_BUDGET)
  }
})

test('public pages open languages in a worker, and their scripts ask to be compiled as they arrive', {
  tag: '@slow',
}, async ({ page }) => {
  for (const path of ['/', '/pricing', '/book/demo']) {
    const worker = page.waitForEvent('worker')
    await page.goto(path)
    expect(new URL((await worker).url()).pathname).toBe('/warm-formats.js')

    const [, list = ''] = /const scripts = (\[.*\])/.exec(await page.content()) ?? []
    const scripts = JSON.parse(list) as string[]
    expect(scripts.length, path).toBeGreaterThan(1)
    for (const script of scripts) {
      const code = await (await page.request.get(script)).text()
      expect(code.split('\n', 1), script).toEqual(['//# allFunctionsCalledOnLoad'])
    }
  }
})

test('a page without workers works all the same', { tag: '@slow' }, async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'Worker'))
  await page.goto('/')
  await page.getByRole('button', { name: 'Theme: system. Switch to dark.' }).click()
  await expect(page.getByRole('button', { name: 'Theme: dark. Switch to light.' })).toBeVisible()
})

/** Downloads the script again: the browser discards the response body of a worker that has ended. */
async function weigh(page: Page, script: string): Promise<number> {
  return gzipSync(await (await page.request.get(script)).body(), { level: 9 }).length
}
