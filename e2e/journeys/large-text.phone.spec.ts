import type { Page } from '@playwright/test'
import { openAppointment } from '#e2e/support/open-appointment.ts'
import {
  bookAppointment,
  chooseDate,
  chooseTime,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
  waitAsLongAsAPerson,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/** Twice the default text size of browsers, in CSS pixels. */
const LARGE_TEXT = 32

/** The height of a small phone, in CSS pixels. */
const HEIGHT = 667

/** Maximum share of the screen's height that a toast may cover. */
const LARGEST_TOAST = 0.5

for (const width of [375, 320]) {
  test(`with text of 200 % on a phone of ${width} px a customer books, and an owner logs in`, {
    tag: width > 320 ? '@slow' : [],
  }, async ({ page, newVisitor }) => {
    const ownerPage = await newVisitor()
    const owner = makePerson('Konstanze Wiedemann')
    await signUp(ownerPage, owner)
    const calendar = await createCalendar(ownerPage, { name: 'Praxis Wiedemann' })
    await createAppointmentType(ownerPage, calendar, { name: 'Lymphatic drainage', duration: 45 })
    await createAppointmentType(ownerPage, calendar, { name: 'First consultation', duration: 30 })

    await enlarge(page, width)
    await page.goto(`/book/${calendar.slug}`)
    await expectNothingBeside(page)
    await page.getByText('Lymphatic drainage', { exact: true }).tap()
    await chooseDate(page, nextTuesday())
    await expectNothingBeside(page)
    await chooseTime(page, '2:00 PM')
    const lines = page.getByRole('button', { name: /^Change / }).locator('xpath=preceding-sibling::span')
    await expect(lines).toHaveCount(2)
    for (const line of await lines.all()) {
      const { shown, whole } = await line.evaluate((el) => ({ shown: el.clientWidth, whole: el.scrollWidth }))
      expect(shown, 'a chosen step shows all its words').toBeGreaterThanOrEqual(whole)
    }
    await page.getByLabel('Full Name').fill('Ada Lovelace')
    await page.getByLabel('Email Address').fill(makePerson('Ada Lovelace').email)
    await expectNothingBeside(page)
    await waitAsLongAsAPerson(page)
    await page.getByRole('button', { name: 'Book appointment' }).tap()
    await expect(page.getByRole('heading', { name: 'Booking Confirmed!' })).toBeVisible()
    await expect(page.getByText('Appointment booked successfully! Confirmation email sent.')).toBeVisible()
    await expect(page.locator('[data-toaster]')).toHaveText('')
    await expectWholeWords(page)
    await expectNothingBeside(page)

    await page.goto((await page.getByRole('link', { name: 'Move or cancel' }).getAttribute('href')) ?? '')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expectWholeWords(page)
    await expectNothingBeside(page)

    await page.goto('/login')
    await page.getByLabel('Email').fill(owner.email)
    await page.getByRole('textbox', { name: /^Password/ }).fill(owner.password)
    await expectWholeWords(page)
    await expectNothingBeside(page)
    await page.keyboard.press('Enter')
    await expectSmallToast(page, 'Successfully logged in!')
    await expect(page).toHaveURL(/\/dashboard$/)
    await expect(page.getByText(calendar.name).first()).toBeVisible()
    await expectEndUncovered(page)
    await expectWholeWords(page)
    await expectNothingBeside(page)
  })
}

test('with text of 200 % on a phone of 320 px the list of appointments and an open one stay readable', async ({
  page,
}) => {
  const name = 'Maximiliane Theodora von Hohenstein-Wittgenstein zu Augsburg'
  await signUp(page, makePerson('Konstanze Wiedemann'))
  const calendar = await createCalendar(page)
  const type = await createAppointmentType(page, calendar, { name: 'Lymphatic drainage', duration: 45 })
  const startsAt = toInstant(nextTuesday(), '14:00')
  await bookAppointment(page.context().request, calendar, {
    startsAt,
    person: { ...makePerson('Customer'), name },
    typeId: type.id,
  })
  await enlarge(page, 320)
  const row = page.getByRole('article', { name })
  for (const address of ['/appointments?view=list', `/calendar/${calendar.id}/settings?tab=appointments`]) {
    await page.goto(address)
    await expect(row).toBeVisible()
    await expectNothingBeside(page)
    for (const text of [name, 'Lymphatic drainage']) {
      const { shown, whole } = await row
        .getByText(text)
        .evaluate((el) => ({ shown: el.clientWidth, whole: el.scrollWidth }))
      expect(shown, `${text} is not cut`).toBeGreaterThanOrEqual(whole)
    }
  }
  const details = await openAppointment(page, name)
  await expect(details.getByRole('heading', { name })).toBeVisible()
  await details.getByText('Booking reference').scrollIntoViewIfNeeded()
  const { shown, whole } = await details.evaluate((el) => ({ shown: el.clientWidth, whole: el.scrollWidth }))
  expect(shown, 'nothing sticks out of the sheet').toBeGreaterThanOrEqual(whole)
  await expectNothingBeside(page)
})

/** Sets the text size, as a user does in the browser's settings. */
async function enlarge(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT })
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Page.setFontSizes', { fontSizes: { standard: LARGE_TEXT, fixed: LARGE_TEXT } })
}

async function expectSmallToast(page: Page, text: string): Promise<void> {
  const toast = page.locator('[data-toaster]').filter({ hasText: text })
  await expect(toast).toBeVisible()
  expect((await toast.boundingBox())?.height, text).toBeLessThan(HEIGHT * LARGEST_TOAST)
}

/** Checks that at the end of the page the toast covers no field, button, link or heading. */
async function expectEndUncovered(page: Page): Promise<void> {
  const toast = page.locator('[data-toaster] .toast')
  // The toast stays while the pointer is over it.
  await toast.hover()
  const covered = await toast.evaluate((card) => {
    scrollTo(0, document.documentElement.scrollHeight)
    const { top, bottom } = card.getBoundingClientRect()
    const parts = document.querySelectorAll('#root :is(a, button, input, select, textarea, h1, h2, h3)')
    return [...parts]
      .filter((part) => part.closest('[data-bottom-bar]') === null && part.checkVisibility())
      .filter((part) => {
        const box = part.getBoundingClientRect()
        return box.height > 0 && box.top < bottom && box.bottom > top
      })
      .map((part) => part.textContent)
  })
  expect(covered, 'the toast covers nothing at the end of the page').toEqual([])
}

async function expectNothingBeside(page: Page): Promise<void> {
  const { wide, seen } = await page.evaluate(() => ({
    wide: document.documentElement.scrollWidth,
    seen: document.documentElement.clientWidth,
  }))
  expect(wide, `${page.url()} does not scroll sideways`).toBeLessThanOrEqual(seen)
}

/** Checks that no heading breaks a word across lines, except at a hyphen. */
async function expectWholeWords(page: Page): Promise<void> {
  const broken = await page.locator('h1, h2, h3').evaluateAll((headings) => {
    const texts = headings.flatMap((heading) => {
      const walker = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
      const found: Node[] = []
      while (walker.nextNode()) found.push(walker.currentNode)
      return found
    })
    return texts.flatMap((text) =>
      [...(text.nodeValue ?? '').matchAll(/[^\s-]+/g)].flatMap(({ 0: word, index }) => {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        const lines = new Set([...range.getClientRects()].map(({ top }) => top))
        return lines.size > 1 ? [word] : []
      }),
    )
  })
  expect(broken, `${page.url()} breaks no word of a heading`).toEqual([])
}
