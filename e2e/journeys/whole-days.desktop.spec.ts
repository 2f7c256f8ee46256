import { addDays } from '#core/shared/zoned-time.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { findLink, listMails, waitForMail } from '#e2e/support/mailbox.ts'
import {
  bookAppointment,
  buyProfessionalPlan,
  chooseDate,
  createCalendar,
  makePerson,
  nextTuesday,
  postToApi,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner who is ill on Tuesday cancels the day on all calendars at once, and every customer is told once', async ({
  page,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  // The owner needs a plan with several calendars.
  await buyProfessionalPlan(page)
  const [first, second] = [
    await createCalendar(page, { name: 'Massage' }),
    await createCalendar(page, { name: 'Talks' }),
  ]
  const date = nextTuesday()
  const [grace, alan, ada] = [
    makePerson('Grace Hopper'),
    makePerson('Alan Turing'),
    makePerson('Ada Lovelace'),
  ]
  await bookAppointment(page.context().request, first, { startsAt: toInstant(date, '10:00'), person: grace })
  await bookAppointment(page.context().request, second, { startsAt: toInstant(date, '09:00'), person: alan })
  await bookAppointment(page.context().request, second, { startsAt: toInstant(date, '12:00'), person: ada })

  await page.goto(`/calendar/${first.id}/settings?tab=appointments`)
  await page.getByRole('button', { name: 'Change whole days' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change whole days' })

  await test.step('days that make no range are refused before anything is asked', async () => {
    await dialog.getByLabel(/^First day/).fill(date)
    await dialog.getByLabel(/^Last day/).fill('2020-01-01')
    await expect(dialog.getByText('The last day can’t be before the first day.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Cancel appointments' })).toBeDisabled()
    await dialog.getByLabel(/^Last day/).fill(date)
  })

  await test.step('all calendars are ticked, and the effect is that of those that stay so', async () => {
    await expect(dialog.getByText('3 appointments. 3 customers get an email.')).toBeVisible()
    await expect(dialog.getByRole('list', { name: 'Appointments' }).getByRole('listitem')).toHaveText([
      /9:00 AM.*Alan Turing.*Talks/,
      /10:00 AM.*Grace Hopper.*Massage/,
      /12:00 PM.*Ada Lovelace.*Talks/,
    ])
    await expectNoAxeFindings(page)
    await dialog.getByRole('checkbox', { name: 'Talks' }).uncheck()
    await expect(dialog.getByText('1 appointment. 1 customer gets an email.')).toBeVisible()
    await dialog.getByRole('checkbox', { name: 'Talks' }).check()
  })

  await dialog.getByLabel('Your message to the customers').fill('I am ill.')
  await expect(dialog.getByRole('checkbox', { name: 'Close these days for new bookings' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Cancel 3 appointments' }).click()
  await expect(dialog.getByText('3 of 3 cancelled', { exact: true })).toBeVisible()
  await test.step('nobody can book that day on either calendar any more, and the next day stays open', async () => {
    for (const { slug } of [first, second]) {
      await page.goto(`/book/${slug}`)
      await chooseDate(page, date)
      await expect(page.getByText('No available times for this date')).toBeVisible()
      await chooseDate(page, addDays(date, 1))
      await expect(page.getByRole('button', { name: '9:00 AM', exact: true })).toBeVisible()
    }
  })
  for (const person of [grace, alan, ada]) {
    await waitForMail({ to: person.email, subject: 'Appointment cancelled' })
    expect(await listMails({ to: person.email, subject: 'Appointment cancelled' })).toHaveLength(1)
  }
})

test('an owner who is ill on Tuesday offers other times, and a customer on a phone takes one through the link of the email', {
  tag: '@slow',
}, async ({ page, browser }) => {
  // Messages about a move are sent after a delay of 30 seconds.
  test.setTimeout(150_000)
  const owner = makePerson('Ida Berg')
  await signUp(page, owner)
  const calendar = await createCalendar(page)
  const date = nextTuesday()
  const [grace, alan] = [makePerson('Grace Hopper'), makePerson('Alan Turing')]
  const { id } = await bookAppointment(page.context().request, calendar, {
    startsAt: toInstant(date, '10:00'),
    person: grace,
  })
  const asking = await bookAppointment(page.context().request, calendar, {
    startsAt: toInstant(date, '11:00'),
    person: alan,
  })
  const request = page.context().request
  await postToApi(request, `/api/public/appointments/${asking.id}/cancellation-request`, {})

  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  await page.getByRole('button', { name: 'Change whole days' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change whole days' })
  await dialog.getByLabel(/^First day/).fill(date)
  await dialog.getByLabel(/^Last day/).fill(date)
  await dialog.getByRole('radio', { name: 'Offer other times' }).check()
  await expect(dialog.getByText('2 appointments. 1 customer gets an email.')).toBeVisible()
  await expect(
    dialog.getByText('Alan Turing: The customer has asked to cancel: please answer.'),
  ).toBeVisible()
  await expectNoAxeFindings(page)
  await dialog.getByLabel('Your message to the customers').fill('I am ill.')
  await dialog.getByRole('button', { name: 'Offer other times for 1 appointment' }).click()
  await expect(dialog.getByText('1 of 2 offered other times', { exact: true })).toBeVisible()

  const mail = await waitForMail({ to: grace.email, subject: 'Please choose another time' })
  expect(mail.text).toContain('I am ill.')
  expect(await listMails({ to: alan.email, subject: 'Please choose another time' })).toEqual([])

  const context = await browser.newContext({
    viewport: { width: 375, height: 667 },
    hasTouch: true,
    isMobile: true,
    timezoneId: 'Europe/London',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const theirs = await context.newPage()
  await test.step('the page of the link has the words of the owner and three times', async () => {
    // The first link to the page is that of the first suggested time, which is chosen when the page opens.
    await theirs.goto(findLink(mail, '/manage/'))
    await expect(theirs.getByText('I am ill.')).toBeVisible()
    const suggested = theirs.getByRole('group', { name: 'Suggested times' }).getByRole('button')
    await expect(suggested).toHaveCount(3)
    await expect(suggested.first()).toHaveAttribute('aria-pressed', 'true')
    const first = (await suggested.first().textContent()) ?? ''
    await expect(theirs.getByRole('button', { name: `Move to ${first}` })).toBeEnabled()
    await expectNoAxeFindings(theirs)
    const time = (await suggested.nth(1).textContent()) ?? ''
    await suggested.nth(1).tap()
    await theirs.getByRole('button', { name: `Move to ${time}` }).tap()
    await expect(theirs.getByText(`Moved to ${time}`)).toBeVisible()
    // The owner's request to move is done, so its message disappears.
    await expect(theirs.getByText('I am ill.')).toBeHidden()
  })
  await context.close()

  const told = await waitForMail({ to: owner.email, subject: 'Appointment moved' }, 90_000)
  expect(told.text).toContain('Grace Hopper moved this appointment to another time.')
  const moved = await request.get(`/api/public/appointments/${id}`)
  expect((await moved.json()).starts_at).not.toBe(new Date(toInstant(date, '10:00')).toISOString())
})
