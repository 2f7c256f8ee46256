import type { Page } from '@playwright/test'
import { START_REASON_SENTENCES } from '#contract/appointments/owner-booking-problems.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import {
  accessibleDayName,
  bookAppointment,
  chooseDate,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/** The Wednesday after the Tuesday that `nextTuesday` returns. */
const WEDNESDAY = addDays(nextTuesday(), 1)

test('an owner changes the hours of a day, and customers are offered the changed hours', async ({
  page,
  newVisitor,
}) => {
  const calendar = await openTab(page)
  const tuesday = page.getByRole('listitem', { name: 'Tuesday', exact: true })
  await tuesday.getByRole('button', { name: 'Remove Tuesday 9:00 AM – 5:00 PM' }).click()
  await expect(toast(page, 'Availability removed')).toBeVisible()
  await expect(tuesday.getByText('Closed')).toBeVisible()

  await page.getByRole('button', { name: 'Add hours on Tuesday' }).click()
  const inRow = page.getByRole('form', { name: 'Add hours on Tuesday' })
  await inRow.getByLabel('Start time').fill('22:00')
  await inRow.getByLabel('Until midnight').check()
  await inRow.getByRole('button', { name: 'Add hours' }).click()
  await expect(toast(page, 'Availability added')).toBeVisible()
  await expect(tuesday.getByText('10:00 PM – midnight')).toBeVisible()

  await page.getByRole('button', { name: 'Why isn’t a time offered?' }).click()
  const dialog = page.getByRole('dialog', { name: 'Why isn’t this time offered?' })
  await dialog.getByLabel('Date').fill(nextTuesday())
  await dialog.getByLabel('Start').fill('10:05')
  await expect(dialog.getByText(START_REASON_SENTENCES.outside_hours)).toBeVisible()
  await expect(dialog.getByRole('link', { name: /^Opening hours/ })).toBeVisible()
  await expectNoAxeFindings(page)
  await dialog.getByLabel('Start').fill('22:10')
  await expect(dialog.getByText(START_REASON_SENTENCES.off_grid)).toBeVisible()
  await dialog.getByLabel('Start').fill('22:00')
  await expect(dialog.getByText('Customers can book this time.')).toBeVisible()
  await dialog.getByLabel('Date').fill(addDays(nextTuesday(), -14))
  await expect(dialog.getByText('This was more than 24 hours ago.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).last().click()

  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  await chooseDate(visitor, nextTuesday())
  await expect(visitor.getByRole('button', { name: '11:30 PM', exact: true })).toBeVisible()
  await expect(visitor.getByRole('button', { name: '9:00 AM', exact: true })).toHaveCount(0)
})

test('a range is added by the form, refused where it overlaps, removed, and brought back', async ({
  page,
}) => {
  await openTab(page)
  const form = page.getByRole('form', { name: 'Add hours' })
  // The form starts with a closed day, so that the new hours overlap no others.
  await expect(form.getByLabel('Day')).toContainText('Saturday')
  await chooseDay(page, 'Monday')
  await form.getByRole('button', { name: 'Add hours' }).click()
  await expect(form.getByText(PROBLEMS['availability.overlap'].title)).toBeVisible()
  await chooseDay(page, 'Saturday')
  await form.getByLabel('Start time').fill('14:00')
  await form.getByLabel('End time').fill('13:00')
  await form.getByRole('button', { name: 'Add hours' }).click()
  await expect(form.getByText(PROBLEMS['availability.start_after_end'].title)).toBeVisible()
  await form.getByLabel('End time').fill('16:30')
  await form.getByRole('button', { name: 'Add hours' }).click()
  await expect(toast(page, 'Availability added')).toBeVisible()

  const saturday = page.getByRole('listitem', { name: 'Saturday', exact: true })
  await saturday.getByRole('button', { name: 'Remove Saturday 2:00 PM – 4:30 PM' }).click()
  await expect(saturday.getByText('Closed')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(saturday.getByText('2:00 PM – 4:30 PM')).toBeVisible()
  await page.reload()
  await expect(saturday.getByText('2:00 PM – 4:30 PM')).toBeVisible()
})

test('a range is changed in place, its day copied, and four days get a lunch break', async ({ page }) => {
  await openTab(page)
  const day = (name: string) => page.getByRole('listitem', { name, exact: true })
  await page.getByRole('button', { name: 'Change Monday 9:00 AM – 5:00 PM' }).click()
  const form = page.getByRole('form', { name: 'Change Monday 9:00 AM – 5:00 PM' })
  await form.getByLabel('End time').fill('12:00')
  await expectNoAxeFindings(page)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'Availability changed')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Change Monday 9:00 AM – 12:00 PM' })).toBeFocused()

  await page.getByRole('button', { name: 'Copy Monday to other days' }).click()
  const dialog = page.getByRole('dialog', { name: 'Copy Monday to other days' })
  await dialog.getByLabel('Wednesday').check()
  await dialog.getByLabel('Sunday').check()
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Copy to 2 days' }).click()
  await expect(toast(page, 'Monday copied to Wednesday and Sunday')).toBeVisible()
  for (const name of ['Monday', 'Wednesday', 'Sunday']) {
    await expect(day(name).getByText('9:00 AM – 12:00 PM')).toBeVisible()
  }
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'Hours restored')).toBeVisible()
  await expect(day('Wednesday').getByText('9:00 AM – 5:00 PM')).toBeVisible()
  await expect(day('Sunday').getByText('Closed')).toBeVisible()

  // Two presses add a break to four days: Monday is closed at noon, and all days that are open then are chosen.
  await page.getByRole('button', { name: 'Add lunch break' }).click()
  const lunch = page.getByRole('dialog', { name: 'Add lunch break' })
  await expect(lunch.getByLabel('Thursday')).toBeChecked()
  await expectNoAxeFindings(page)
  await lunch.getByRole('button', { name: 'Add to 4 days' }).click()
  await expect(toast(page, 'Break added on 4 days')).toBeVisible()
  for (const name of ['Tuesday', 'Wednesday', 'Thursday', 'Friday']) {
    await expect(day(name).getByText('9:00 AM – 12:00 PM')).toBeVisible()
    await expect(day(name).getByText('1:00 PM – 5:00 PM')).toBeVisible()
  }
  await expectNoAxeFindings(page)
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
})

test.describe('in the dark', () => {
  test.use({ colorScheme: 'dark' })

  test('the tab is accessible with its warnings and errors', async ({ page }) => {
    const calendar = await openTab(page)
    await createAppointmentType(page, calendar, { name: 'Workshop', duration: 200 })
    await page.reload()
    await expect(page.getByText('1 appointment type doesn’t fit these settings')).toBeVisible()
    await chooseDay(page, 'Monday')
    await page.getByRole('button', { name: 'Add hours', exact: true }).click()
    await expect(page.getByText(/^This time range overlaps/)).toBeVisible()
    await expect(page.getByText('so it has no times.')).toBeVisible()
    await expectNoAxeFindings(page)
  })
})

test('the slot settings change what is offered, in the preview and on the booking page', async ({
  page,
  newVisitor,
}) => {
  const calendar = await openTab(page)
  await bookAppointment(page.context().request, calendar, {
    startsAt: toInstant(WEDNESDAY, '12:00'),
    person: makePerson('Alan Turing'),
  })
  await page.getByLabel('Slot length').click()
  await page.getByRole('option', { name: '60 minutes' }).click()
  await page.getByLabel('Buffer time').click()
  await page.getByRole('option', { name: '45 minutes' }).click()
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(toast(page, 'Time slot settings updated: 45min buffer time')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save settings' })).toBeDisabled()

  await showDay(page, WEDNESDAY)
  const day = page.getByRole('listitem', { name: new RegExp(monthAndDay(WEDNESDAY)) })
  await expect(day.getByText('10:00 AM')).toBeAttached()
  await expect(day.getByText(/^(10:30 AM|11:00 AM|12:00 PM|1:00 PM)$/)).toHaveCount(0)

  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  await chooseDate(visitor, WEDNESDAY)
  await expect(visitor.getByRole('button', { name: '2:00 PM', exact: true })).toBeVisible()
  await expect(visitor.getByRole('button', { name: '12:00 PM', exact: true })).toHaveCount(0)
  await expect(visitor.getByRole('button', { name: '10:30 AM', exact: true })).toHaveCount(0)
})

test('an owner closes the next day with times, and customers have them again after it is removed', async ({
  page,
  newVisitor,
}) => {
  const calendar = await openTab(page)
  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  await chooseDate(visitor, nextTuesday())
  const nine = visitor.getByRole('button', { name: '9:00 AM', exact: true })
  await expect(nine).toBeVisible()

  await page.getByRole('button', { name: 'Add days' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add days' })
  await dialog.getByLabel('First day').fill(nextTuesday())
  await expect(dialog.getByLabel('Last day')).toHaveValue(nextTuesday())
  await dialog.getByLabel('Note', { exact: true }).fill('Training')
  await dialog.getByLabel('Note to customers').fill('On summer break until Wednesday')
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Add days' }).click()
  await expect(toast(page, 'Days added')).toBeVisible()
  const entry = page.getByRole('list', { name: 'Days off and special hours' }).getByRole('article')
  await expect(entry.getByText('Closed')).toBeVisible()
  await expect(entry.getByText('Training')).toBeVisible()
  await showDay(page, nextTuesday())
  const preview = page.getByRole('list', { name: 'Offered times' })
  const tuesday = preview.getByRole('listitem', { name: new RegExp(monthAndDay(nextTuesday())) })
  await expect(tuesday.getByText('Closed')).toBeVisible()

  // The page keeps the chosen day. That day has no times, so the page now links to the first free times on other days.
  await visitor.reload()
  await expect(visitor.getByText('On summer break until Wednesday')).toBeVisible()
  await expectNoAxeFindings(visitor)
  await expect(
    visitor.getByRole('button', { name: new RegExp(accessibleDayName(nextTuesday())) }),
  ).toHaveAccessibleName(/no available times/)
  await expect(visitor.getByRole('group', { name: 'Morning' })).toHaveCount(0)
  const first = visitor.getByRole('group', { name: /^Next: / })
  // The first day may be today, when it begins later than 9 AM. The day after it begins with the opening hours.
  const offered = visitor.getByRole('group', { name: /day, / })
  await expect(offered.getByRole('button', { name: '9:00 AM', exact: true }).first()).toBeVisible()
  await expect(first).not.toHaveAccessibleName(new RegExp(monthAndDay(nextTuesday())))

  await entry.getByRole('button', { name: /^Remove/ }).click()
  await expect(toast(page, 'Days removed')).toBeVisible()
  await expect(page.getByText(/^No days off planned/)).toBeVisible()
  await visitor.reload()
  await expect(visitor.getByText('On summer break until Wednesday')).toBeHidden()
  await expect(nine).toBeVisible()
})

test('two windows: what the other saved meanwhile is not overwritten unseen', async ({
  page,
  allowConsole,
}) => {
  allowConsole(/409/)
  await openTab(page)
  const other = await page.context().newPage()
  await other.goto(page.url())
  for (const [window, buffer] of [
    [page, '10 minutes'],
    [other, '20 minutes'],
  ] as const) {
    await window.getByLabel('Buffer time').click()
    await window.getByRole('option', { name: buffer, exact: true }).click()
  }
  await page.getByRole('button', { name: 'Save settings' }).click()
  await expect(toast(page, 'Time slot settings updated: 10min buffer time')).toBeVisible()
  await other.getByRole('button', { name: 'Save settings' }).click()
  await expect(other.getByText(/^This was changed in another window/)).toBeVisible()
  await expect(toast(other, 'Failed to update settings. Please try again.')).toBeHidden()
  await other.getByRole('button', { name: 'Save settings' }).click()
  await expect(toast(other, 'Time slot settings updated: 20min buffer time')).toBeVisible()
})

/** Signs up, creates a calendar and opens its Availability tab. */
async function openTab(page: Page) {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await page.goto(`/calendar/${calendar.id}/settings?tab=availability`)
  await expect(page.getByRole('heading', { name: 'What customers see' })).toBeVisible()
  return calendar
}

function toast(page: Page, text: string) {
  return page.locator('[data-toaster]').getByText(text)
}

/** Pages the seven-day preview to the days that include a date. */
async function showDay(page: Page, date: string): Promise<void> {
  const day = page.getByRole('listitem', { name: new RegExp(monthAndDay(date)) })
  // No day is listed until the preview has loaded, so the count below must wait for it.
  await expect(page.getByText('Loading the preview...')).toHaveCount(0)
  if ((await day.count()) === 0) await page.getByRole('button', { name: 'Next seven days' }).click()
  await expect(day).toBeVisible()
}

/** Formats a date without its year: `December 1`. */
function monthAndDay(date: string): string {
  return accessibleDayName(date).replace(/, \d+$/, '$')
}

/** Chooses a day in the form that adds hours. */
async function chooseDay(page: Page, day: string): Promise<void> {
  await page.getByRole('form', { name: 'Add hours' }).getByLabel('Day').click()
  await page.getByRole('option', { name: day }).click()
}
