import type { APIRequestContext, Locator, Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import type { AppointmentAction } from '#core/appointments/appointment-actions.ts'
import { addDays } from '#core/shared/zoned-time.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import { openAppointment, shownAppointment } from '#e2e/support/open-appointment.ts'
import {
  bookAppointment,
  buyProfessionalPlan,
  createAppointmentType,
  createCalendar,
  makePerson,
  nextTuesday,
  postToApi,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

/** The largest heights of a row and of ten rows with their dates, in CSS pixels. */
const ROW_ON_DESKTOP = 64
const ROW_ON_PHONE = 88
const TEN_ROWS = 800

/** The first row begins above this line on a phone, in CSS pixels. */
const FIRST_ROW_ON_PHONE = 400

/** The least space between a time and the name beside it, in CSS pixels. */
const SPACE_AFTER_TIME = 12

const LONG_NAME = 'Maximiliane Theodora von Hohenstein-Wittgenstein zu Augsburg'
const HEBREW_NAME = 'שרה לוי בן דוד'

test('ten rows fit on a desktop’s screen, on a phone each is low, and all names stay in their rows', async ({
  page,
  isMobile,
}) => {
  const { calendar, booked } = await practice(page)
  const first = booked[0]
  await postToApi(page.context().request, `/api/public/appointments/${first?.id}/cancellation-request`, {})
  await act(page.context().request, calendar, booked[2]?.id ?? '', 'mark_pending')
  const rows = page.getByRole('article')
  for (const address of ['/appointments?view=list', `/calendar/${calendar.id}/settings?tab=appointments`]) {
    await page.goto(address)
    await expect(rows).toHaveCount(10)
    await expect(rows.first()).toContainText('Cancellation pending')
    await expectHeights(page, rows, isMobile)
    await expectSpaceAfterTimes(rows)
    await expectNoAxeFindings(page)
  }

  const details = await openAppointment(page, LONG_NAME)
  await expect(details.getByRole('heading', { name: LONG_NAME })).toBeVisible()
  await expect(details.getByText('The customer has asked to cancel')).toBeVisible()
  await expect(details.getByText(`Client #`)).toBeVisible()
  await expect(details.getByText(first?.booking_reference ?? '')).toBeVisible()
  await expectNoAxeFindings(page)
  if (isMobile) return
  await expectHeights(page, rows, isMobile)
  const [list, panel] = [await boxOf(page.getByRole('list', { name: 'Appointments' })), await boxOf(details)]
  expect(panel.x, 'the panel is beside the list').toBeGreaterThanOrEqual(list.x + list.width)
  expect(panel.height, 'the panel scrolls by itself').toBeLessThanOrEqual(800)
  await openAppointment(page, 'Customer 2')
  const button = await boxOf(details.getByRole('button', { name: 'Mark as Paid' }))
  expect(button.height, 'Mark as Paid stays on one line').toBeLessThanOrEqual(44)
})

test('on a phone the chosen calendar’s first row is in sight, and Back leaves its sheet and its list', {
  tag: '@phone',
}, async ({ page, isMobile }) => {
  const { calendar } = await practice(page)
  await buyProfessionalPlan(page)
  await createCalendar(page, { name: 'Evening Practice' })
  await page.goto('/appointments?view=list')
  await page.getByRole('combobox', { name: 'Calendar' }).click()
  await page.getByRole('option', { name: calendar.name }).click()
  const rows = page.getByRole('article')
  await expect(rows).toHaveCount(10)
  if (isMobile) expect((await boxOf(rows.first())).y).toBeLessThan(FIRST_ROW_ON_PHONE)
  const details = await openAppointment(page, HEBREW_NAME)
  await expect(details.getByRole('heading', { name: HEBREW_NAME })).toBeVisible()
  await expect(page).toHaveURL(/\/appointments\?calendar=.*appointment=/)
  await page.reload()
  await expect(details.getByRole('heading', { name: HEBREW_NAME })).toBeVisible()
  await page.goBack()
  await expect(details).toBeHidden()
  await expect(page).toHaveURL(new RegExp(`/appointments\\?view=list&calendar=${calendar.id}$`))
  await page.goBack()
  await expect(page).toHaveURL(/\/appointments\?view=list$/)
  await expect(page.getByRole('combobox', { name: 'Calendar' })).toHaveText('All calendars')
})

test('the keyboard leads through the rows into the panel and back, and the browser’s Back closes it', async ({
  page,
  isMobile,
}) => {
  const { calendar } = await practice(page)
  await page.goto('/dashboard')
  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  const row = (name: string) => page.getByRole('article', { name }).getByRole('button', { name, exact: true })
  const details = shownAppointment(page)

  if (!isMobile) {
    await row(LONG_NAME).focus()
    await page.keyboard.press('ArrowDown')
    await expect(row(HEBREW_NAME)).toBeFocused()
    await page.keyboard.press('End')
    await expect(row('Customer 9')).toBeFocused()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await expect(details.getByRole('heading', { name: LONG_NAME })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(details.getByRole('heading', { name: HEBREW_NAME })).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(details).toBeHidden()
    await expect(row(HEBREW_NAME)).toBeFocused()
    await expect(page).not.toHaveURL(/appointment=/)
  }

  await openAppointment(page, HEBREW_NAME)
  await expect(page).toHaveURL(/appointment=/)
  await page.reload()
  await expect(details.getByRole('heading', { name: HEBREW_NAME })).toBeVisible()
  await page.goBack()
  await expect(details).toBeHidden()
  await expect(page.getByRole('article')).toHaveCount(10)
  await page.goBack()
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('an open appointment follows a change elsewhere, and the link in an email opens it', async ({
  page,
}) => {
  const { owner, calendar, booked } = await practice(page)
  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  const details = await openAppointment(page, 'Customer 4')
  await expect(details.getByText('Confirmed', { exact: true })).toBeVisible()
  await act(page.context().request, calendar, booked[4]?.id ?? '', 'cancel')
  // The owner comes back to the window.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
  await expect(details.getByText('Cancelled', { exact: true })).toBeVisible()
  await expect(details.getByRole('button', { name: 'Restore' })).toBeVisible()
  await expect(details.getByRole('button', { name: 'Move' })).toHaveCount(0)

  const mail = await waitForMail({ to: owner.email, subject: 'Appointment cancelled' })
  const link = /https?:\S+\/calendar\/\S+/.exec(mail.text)?.[0] ?? ''
  const { pathname, search } = new URL(link)
  await page.goto(pathname + search)
  await expect(details.getByRole('heading', { name: 'Customer 4' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(details).toBeHidden()
  await expect(page.getByRole('article')).toHaveCount(1)
})

test('comfortable rows have everything, and stay chosen', async ({ page, isMobile }) => {
  const { calendar } = await practice(page)
  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  if (isMobile) await page.getByRole('button', { name: 'Search, filter and export' }).click()
  await page.getByRole('combobox', { name: 'Rows' }).click()
  await page.getByRole('option', { name: 'Comfortable' }).click()
  await page.reload()
  const row = page.getByRole('article', { name: 'Customer 4' })
  if (isMobile) await row.getByRole('button').click()
  await expect(row.getByText('Booking reference')).toBeVisible()
  await expect(row.getByRole('button', { name: 'Cancel' })).toBeVisible()
  await expectNoAxeFindings(page)
})

async function expectHeights(page: Page, rows: Locator, isMobile: boolean): Promise<void> {
  const heights = await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))
  expect(Math.max(...heights)).toBeLessThanOrEqual(isMobile ? ROW_ON_PHONE : ROW_ON_DESKTOP)
  const inside = await rows.evaluateAll((all) => all.every((row) => row.scrollWidth <= row.clientWidth))
  expect(inside, 'nothing sticks out of a row').toBe(true)
  if (isMobile) return
  const list = await boxOf(page.getByRole('list', { name: 'Appointments' }))
  expect(list.height).toBeLessThanOrEqual(TEN_ROWS)
}

/** Checks that each time ends clearly before the name beside it. */
async function expectSpaceAfterTimes(rows: Locator): Promise<void> {
  const spaces = await rows.evaluateAll((all) =>
    all.map((row) => {
      const time = document.createRange()
      time.selectNodeContents(row.querySelector('time') as Node)
      const name = row.querySelector('h4')?.getBoundingClientRect().left ?? 0
      return name - time.getBoundingClientRect().right
    }),
  )
  expect(Math.min(...spaces)).toBeGreaterThanOrEqual(SPACE_AFTER_TIME)
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox()
  if (box === null) throw new Error('the element is not visible')
  return box
}

/** Creates a calendar with ten appointments on five days. */
async function practice(page: Page) {
  const owner = makePerson('Ida Berg')
  await signUp(page, owner)
  const calendar = await createCalendar(page)
  const type = await createAppointmentType(page, calendar, { name: 'Individual session', duration: 60 })
  const { request } = page.context()
  const booked = []
  for (let index = 0; index < 10; index += 1) {
    const name = [LONG_NAME, HEBREW_NAME][index] ?? `Customer ${index}`
    // Five workdays: from Tuesday to Friday, and the next Monday.
    const date = addDays(nextTuesday(), [0, 1, 2, 3, 6][Math.floor(index / 2)] ?? 0)
    const startsAt = toInstant(date, index % 2 === 0 ? '11:00' : '14:00')
    const person = { ...makePerson(`Customer ${index}`), name }
    booked.push(await bookAppointment(request, calendar, { startsAt, person, typeId: type.id }))
  }
  return { owner, calendar, booked }
}

/** Acts on a confirmed appointment without payment, as the owner does in another window. */
async function act(
  request: APIRequestContext,
  calendar: Calendar,
  id: string,
  action: AppointmentAction,
): Promise<void> {
  await postToApi(request, `/api/calendars/${calendar.id}/appointments/${id}/actions`, {
    action,
    was: { status: 'confirmed', payment_status: 'not_required' },
  })
}
