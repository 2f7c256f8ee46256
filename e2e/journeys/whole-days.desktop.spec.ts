import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { listMails, waitForMail } from '#e2e/support/mailbox.ts'
import {
  book,
  buyProfessional,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner who is ill on Tuesday cancels the day on all calendars at once, and every customer is told once', async ({
  page,
}) => {
  await signUp(page, makePerson('Ida Berg'))
  // A plan with several calendars.
  await buyProfessional(page)
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
  await book(page.context().request, first, { startsAt: toInstant(date, '10:00'), person: grace })
  await book(page.context().request, second, { startsAt: toInstant(date, '09:00'), person: alan })
  await book(page.context().request, second, { startsAt: toInstant(date, '12:00'), person: ada })

  await page.goto(`/calendar/${first.id}/settings?tab=appointments`)
  await page.getByRole('button', { name: 'Change whole days' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change whole days' })

  await test.step('days that make no range are refused before anything is asked', async () => {
    await dialog.getByLabel(/^First day/).fill(date)
    await dialog.getByLabel(/^Last day/).fill('2020-01-01')
    await expect(dialog.getByText('The last day must not be before the first day.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: /^Cancel/ })).toBeDisabled()
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
  await dialog.getByRole('button', { name: 'Cancel 3 appointments' }).click()
  await expect(dialog.getByText('3 of 3 cancelled', { exact: true })).toBeVisible()
  for (const person of [grace, alan, ada]) {
    await waitForMail({ to: person.email, subject: 'Appointment cancelled' })
    expect(await listMails({ to: person.email, subject: 'Appointment cancelled' })).toHaveLength(1)
  }
})
