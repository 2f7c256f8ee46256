import type { CDPSession, Locator } from '@playwright/test'
import {
  bookAppointment,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner moves an appointment with a finger that rests on it first, and scrolls with one that does not', async ({
  page,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const date = nextTuesday()
  const appointment = { startsAt: toInstant(date, '10:00'), person: makePerson('Grace Hopper') }
  await bookAppointment(page.context().request, calendar, appointment)
  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments&view=day&date=${date}`)
  const block = page.getByRole('button', { name: /Grace Hopper/ })
  await expect(block).toContainText('10')
  const finger = await page.context().newCDPSession(page)
  const ghost = page.locator('[data-ghost]')

  await test.step('a quick finger on the appointment scrolls the page', async () => {
    const [x, y] = await centre(block)
    const before = await page.evaluate(() => window.scrollY)
    await touch(finger, 'touchStart', [x, y])
    for (let px = 20; px <= 200; px += 20) await touch(finger, 'touchMove', [x, y - px])
    await touch(finger, 'touchEnd')
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(before + 50)
    await expect(ghost).toBeHidden()
    await expect(page.getByRole('dialog')).toBeHidden()
    // The page keeps scrolling after a swipe. Until it stops, the browser handles the next touch itself.
    await expect(async () => {
      const before = await page.evaluate(() => window.scrollY)
      await page.waitForTimeout(200)
      expect(await page.evaluate(() => window.scrollY)).toBe(before)
    }).toPass()
  })

  await test.step('a finger that rests takes hold, and the page stays where it is', async () => {
    const [x, y] = await centre(block)
    const before = await page.evaluate(() => window.scrollY)
    const hourPx = 2 * (((await block.boundingBox())?.height ?? 0) + 2)
    await touch(finger, 'touchStart', [x, y])
    await expect(ghost).toBeVisible()
    for (let part = 1; part <= 4; part += 1) {
      await touch(finger, 'touchMove', [x, y + (hourPx * part) / 4])
    }
    await expect(ghost).toContainText('11')
    expect(await page.evaluate(() => window.scrollY)).toBe(before)
    await touch(finger, 'touchEnd')
    await expect(page.getByText(/^Moved to Tue, .* 11:00 AM$/)).toBeVisible()
    await expect(block).toContainText('11')
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  await test.step('a tap opens it', async () => {
    await block.tap()
    await expect(page.getByRole('dialog', { name: 'Appointment' })).toBeVisible()
  })
})

/** Scrolls the block to the middle of the window, where it has room on both sides, and returns its centre. */
async function centre(block: Locator): Promise<[number, number]> {
  await block.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const box = await block.boundingBox()
  if (box === null) throw new Error('the block is not on the screen')
  return [box.x + box.width / 2, box.y + box.height / 2]
}

/** Sends touch input to the browser itself, so that the page scrolls as it does under a finger. */
async function touch(
  finger: CDPSession,
  type: 'touchStart' | 'touchMove' | 'touchEnd',
  at?: readonly [number, number],
): Promise<void> {
  const touchPoints = at === undefined ? [] : [{ x: at[0], y: at[1] }]
  await finger.send('Input.dispatchTouchEvent', { type, touchPoints })
}
