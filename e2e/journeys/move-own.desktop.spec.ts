import type { Locator, Page } from '@playwright/test'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { listMails } from '#e2e/support/mailbox.ts'
import {
  bookAppointment,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/** How long Meridian delays a message about a move, in case another move follows, in ms. */
const UNTOLD_MS = 30_000

test('an owner moves an appointment by dragging, by keyboard and from the list, and takes a move back', async ({
  page,
  allowConsole,
}) => {
  allowConsole(/409/)
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const date = nextTuesday()
  const customer = makePerson('Grace Hopper')
  await bookAppointment(page.context().request, calendar, {
    startsAt: toInstant(date, '10:00'),
    person: customer,
  })
  const other = { startsAt: toInstant(date, '13:00'), person: makePerson('Alan Turing') }
  await bookAppointment(page.context().request, calendar, other)
  // The window is high enough for all hours of a day.
  await page.setViewportSize({ width: 1280, height: 1400 })
  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments&view=week&date=${date}`)
  const block = page.getByRole('button', { name: /Grace Hopper/ })
  let movedMs = 0
  await expect(block).toContainText('10')

  await test.step('dragged down by an hour it snaps to the grid, and the toast offers the way back', async () => {
    await drag(page, block, 1)
    await expect(page.getByText(/^Moved to Tue, .* 11:00 AM$/)).toBeVisible()
    await expect(block).toContainText('11')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText(/^Moved back to Tue, .* 10:00 AM$/)).toBeVisible()
    await expect(block).toContainText('10')
  })

  await test.step('Escape puts it back while it is dragged, and nothing is opened', async () => {
    await drag(page, block, 2, async () => {
      await expect(page.locator('[data-ghost]')).toBeVisible()
      await page.keyboard.press('Escape')
    })
    await expect(page.locator('[data-ghost]')).toBeHidden()
    await expect(block).toContainText('10')
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  await test.step('dropped on a taken time it returns, and the sentence says why', async () => {
    await drag(page, block, 3)
    await expect(
      page.getByRole('alert').getByText(/^This time is taken by the appointment of .*Alan Turing/),
    ).toBeVisible()
    await expect(block).toContainText('10')
  })

  await test.step('the keyboard moves it: M, arrows, Enter', async () => {
    await block.focus()
    await page.keyboard.press('m')
    await expect(page.getByText(/The arrow keys move it, Enter puts it down/)).toBeVisible()
    await expectNoAxeFindings(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('status').getByText(/^Wed, .* 10:30 AM$/)).toBeAttached()
    await page.keyboard.press('Enter')
    await expect(page.getByText(/^Moved to Wed, .* 10:30 AM$/)).toBeVisible()
    movedMs = performance.now()
    await expect(block).toContainText('10:30')
    await expect(block).toBeFocused()
  })

  await test.step('before opening time the owner is asked, and answers', async () => {
    await block.click()
    const shown = page.getByRole('dialog', { name: 'Appointment' })
    await shown.getByRole('button', { name: 'Move', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Move appointment' })
    await dialog.getByRole('button', { name: 'Another time' }).click()
    await dialog.getByLabel(/^Start/).fill('07:15')
    await expect(dialog.getByText('This is outside your opening hours.')).toBeVisible()
    await expectNoAxeFindings(page)
    await dialog.getByRole('button', { name: 'Move anyway' }).click()
    await expect(page.getByText(/^Moved to Wed, .* 7:15 AM$/)).toBeVisible()
  })

  // A move that was undone or repeated within 30 seconds causes no message. On a busy machine, the steps may have taken longer.
  const stoodMs = performance.now() - movedMs
  const told = await listMails({ to: customer.email, subject: 'Appointment moved' })
  if (stoodMs < UNTOLD_MS) expect(told).toEqual([])
  else expect(told.filter(({ subject }) => !subject.includes('10:30 AM'))).toEqual([])
})

/** Drags a block down by a number of hours, runs `onTheWay`, and drops the block. */
async function drag(
  page: Page,
  block: Locator,
  hours: number,
  onTheWay?: () => Promise<void>,
): Promise<void> {
  const box = await block.boundingBox()
  if (box === null) throw new Error('the block is not on the screen')
  // The grid has no short appointments, so half an hour is as high as the block plus the gap below it.
  const hourPx = 2 * (box.height + 2)
  const [x, y] = [box.x + box.width / 2, box.y + 8]
  await page.mouse.move(x, y)
  await page.mouse.down()
  await page.mouse.move(x, y + 20, { steps: 3 })
  await page.mouse.move(x, y + hours * hourPx, { steps: 6 })
  await onTheWay?.()
  await page.mouse.up()
}
