import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import { openTypeForm } from '#e2e/support/open-type-form.ts'
import {
  bookAppointment,
  chooseDate,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
  waitAsLongAsAPerson,
} from '#e2e/support/people.ts'
import { takeScreenshot } from '#e2e/support/take-picture.ts'
import { expect, test } from '#e2e/support/test.ts'

const DAY_MS = 86_400_000

test('a customer repeats an appointment, takes another time for a date that is taken, and cancels the rest', async ({
  page,
  newVisitor,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const form = await openTypeForm(page, calendar, 'Lesson')
  await form.getByText('Repeats', { exact: true }).click()
  await form.getByRole('checkbox', { name: 'Every week' }).check()
  await form.getByLabel('Most dates at once').fill('1')
  await expect(form.getByText('Please enter 2 to 52 dates.')).toBeVisible()
  await takeScreenshot(page)
  await form.getByLabel('Most dates at once').fill('8')
  await expect(
    form.getByText(/^Customers can repeat an appointment every week, up to 8 dates at once\./),
  ).toBeVisible()
  await expectNoAxeFindings(page)
  await takeScreenshot(page)
  await form.getByRole('button', { name: 'Create' }).click()
  const row = page.getByRole('article', { name: 'Lesson' })
  await expect(row).toBeVisible()
  const types = await page.request.get(`/api/public/calendars/${calendar.slug}/appointment-types`)
  const [{ id: typeId }] = (await types.json()).appointment_types

  const first = nextTuesday()
  const second = new Date(Date.parse(first) + 7 * DAY_MS).toISOString().slice(0, 10)
  const taken = { startsAt: toInstant(second, '10:00'), person: makePerson('Alan Turing'), typeId }
  await bookAppointment(page.request, calendar, taken)

  const grace = makePerson('Grace Hopper')
  const customer = await newVisitor()
  await customer.goto(`/book/${calendar.slug}`)
  await chooseDate(customer, first)
  await customer.getByRole('button', { name: '10:00 AM' }).click()
  await customer.getByLabel('How often').selectOption('Every week')
  await expect(customer.getByText('5 of 6 dates will be booked')).toBeVisible()
  await expect(customer.getByText('Not available. Choose another time or leave it out.')).toBeVisible()
  await expectNoAxeFindings(customer)
  await takeScreenshot(customer)
  await customer.getByRole('button', { name: '10:30 AM' }).last().click()
  await expect(customer.getByText('All 6 dates will be booked')).toBeVisible()
  await expect(customer.getByText('and on 5 more dates')).toBeVisible()
  await takeScreenshot(customer)
  await customer.getByLabel('Full Name').fill(grace.name)
  await customer.getByLabel('Email Address').fill(grace.email)
  await waitAsLongAsAPerson(customer)
  await customer.getByRole('button', { name: 'Book appointment' }).click()
  await expect(customer.getByText(/^6 appointments booked successfully!/)).toBeVisible()
  await expect(customer.getByRole('region', { name: 'Further dates' }).getByRole('listitem')).toHaveCount(5)
  await expect(customer.getByRole('link', { name: 'Add all dates to calendar' })).toBeVisible()
  await takeScreenshot(customer)
  await customer.reload()
  await expect(customer.getByRole('region', { name: 'Further dates' }).getByRole('listitem')).toHaveCount(5)
  const file = await customer.request.get(
    (await customer.getByRole('link', { name: 'Add all dates to calendar' }).getAttribute('href')) ?? '',
  )
  expect((await file.text()).match(/BEGIN:VEVENT/g)).toHaveLength(6)

  const mail = await waitForMail({ to: grace.email, subject: 'Appointments booked' })
  expect(mail.text).toContain('Your 6 appointments')
  await customer.getByRole('link', { name: /Move|View/ }).click()
  const later = customer.getByRole('region', { name: 'Later dates' })
  await expect(later.getByRole('listitem')).toHaveCount(5)
  await takeScreenshot(customer)
  await later.getByRole('button', { name: 'Cancel this and all following' }).click()
  const asking = customer.getByRole('region', { name: 'Request cancellation of 6 dates?' })
  await expectNoAxeFindings(customer)
  await takeScreenshot(customer)
  await asking.getByRole('button', { name: 'Request cancellation of 6 dates' }).click()
  await expect(customer.getByRole('heading', { name: 'Cancellation Pending' })).toBeVisible()
  await expect(later.getByText('Cancellation requested')).toHaveCount(5)
  await takeScreenshot(customer)
})
