import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { findLink, waitForMail } from '#e2e/support/mailbox.ts'
import {
  bookAppointment,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('a customer moves an appointment on a phone, takes it back, and the owner reads who it was', async ({
  page,
  browser,
}) => {
  // Messages about a move are sent after a delay of 30 seconds.
  test.setTimeout(150_000)
  const owner = makePerson('Ida Berg')
  await signUp(page, owner)
  const calendar = await createCalendar(page)
  const date = nextTuesday()
  const customer = makePerson('Grace Hopper')
  await bookAppointment(page.context().request, calendar, {
    startsAt: toInstant(date, '10:00'),
    person: customer,
  })
  const mail = await waitForMail({ to: customer.email })

  const context = await browser.newContext({
    viewport: { width: 375, height: 667 },
    hasTouch: true,
    isMobile: true,
    timezoneId: 'Europe/London',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const theirs = await context.newPage()
  await theirs.goto(findLink(mail, '/manage/'))
  await theirs.getByRole('button', { name: 'Move to another time' }).tap()
  await expect(theirs.getByText('your time now')).toBeVisible()
  await expectNoAxeFindings(theirs)
  await theirs.getByRole('button', { name: '11:30 AM', exact: true }).tap()
  await theirs.getByRole('button', { name: /^Move to .*11:30 AM$/ }).tap()
  await expect(theirs.getByText(/^Moved to .*11:30 AM$/)).toBeVisible()
  await theirs.getByRole('button', { name: 'Undo' }).tap()
  await expect(theirs.getByText(/^Moved back to .*10:00 AM$/)).toBeVisible()

  await theirs.getByRole('button', { name: 'Move to another time' }).tap()
  await theirs.getByRole('button', { name: '2:00 PM', exact: true }).tap()
  await theirs.getByRole('button', { name: /^Move to .*2:00 PM$/ }).tap()
  await expect(theirs.getByText(/^Moved to .*2:00 PM$/)).toBeVisible()
  await expect(theirs.getByRole('heading', { name: 'Your appointment', exact: true })).toBeFocused()
  await expect(theirs.getByText('2:00 PM – 2:30 PM')).toBeInViewport()

  await test.step('on a wide screen all parts of the page have the same margins', async () => {
    await theirs.setViewportSize({ width: 1280, height: 800 })
    const margins = await theirs
      .locator('main section')
      .evaluateAll((parts) => parts.map((part) => getComputedStyle(part).paddingInline))
    expect(margins.length).toBeGreaterThan(2)
    expect(new Set(margins).size).toBe(1)
  })
  await context.close()

  await test.step('half a minute later both are told of the last move, and of no other', async () => {
    const told = await waitForMail({ to: owner.email, subject: 'Appointment moved' }, 60_000)
    expect(told.text).toContain('Grace Hopper moved this appointment to another time.')
    expect(told.subject).toContain('2:00 PM')
    const confirmed = await waitForMail({ to: customer.email, subject: 'Appointment moved' }, 60_000)
    expect(confirmed.text).toContain('10:00 AM')
  })
})
