import { readFile } from 'node:fs/promises'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { findLink, waitForMail } from '#e2e/support/mailbox.ts'
import {
  bookAppointment,
  createCalendar,
  makePerson,
  nextTuesday,
  postToApi,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('a customer opens the link of an email, corrects their details, sees all appointments, takes their data along and has it erased', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  allowConsole(/409|410/)
  const ownerPage = await newVisitor()
  await signUp(ownerPage, makePerson('Ida Berg'))
  const calendar = await createCalendar(ownerPage)
  const person = makePerson('Grace Hopper')
  const { request } = page.context()
  const first = await bookAppointment(request, calendar, {
    startsAt: toInstant(nextTuesday(), '10:00'),
    person,
  })
  const second = await bookAppointment(request, calendar, {
    startsAt: toInstant(nextTuesday(), '11:00'),
    person,
  })

  await test.step('the link of the email shows the appointment, and its file for a calendar', async () => {
    const mail = await waitForMail({ to: person.email, subject: 'Booking confirmed' })
    await page.goto(findLink(mail, '/manage/'))
    await expect(page.getByRole('heading', { name: 'Your appointment', exact: true })).toBeVisible()
    await expectNoAxeFindings(page)
    const file = page.waitForEvent('download')
    await page.getByRole('group', { name: 'Add to calendar' }).getByRole('link', { name: 'File' }).click()
    expect(await readFile(await (await file).path(), 'utf8')).toContain('METHOD:PUBLISH')
  })

  await test.step('the phone number and the notes are corrected', async () => {
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByLabel('Phone (optional)').fill('+44 20 7946 0958')
    await page.getByLabel('Additional Notes').fill('The left knee.')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect(page.getByText('Your details have been updated.').first()).toBeVisible()
    await expect(page.getByText('+44 20 7946 0958')).toBeVisible()
    await expect(page.getByText('The left knee.')).toBeVisible()
  })

  await test.step('after a code of an email all appointments are there, each with its link', async () => {
    await page.getByRole('button', { name: 'Send me a code' }).click()
    const mail = await waitForMail({ to: person.email, subject: 'is your code for your appointments' })
    await page.getByLabel('Code').fill(mail.subject.slice(0, 6))
    await page.getByRole('button', { name: 'Continue' }).click()
    const toCome = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Upcoming' }) })
    await expect(toCome.last().getByRole('listitem')).toHaveCount(2)
    await page.reload()
    await expect(toCome.last().getByRole('listitem')).toHaveCount(2)
    await expectNoAxeFindings(page)
  })

  await test.step('everything that is stored is in one file', async () => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download my data' }).click()
    const record = JSON.parse(await readFile(await (await download).path(), 'utf8'))
    expect(record.customer.email).toBe(person.email)
    expect(record.appointments).toHaveLength(2)
  })

  await test.step('it is erased once nothing is ahead, and the link says so', async () => {
    const erase = async () => {
      await page.getByRole('button', { name: 'Erase my data' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Erase my data' }).click()
    }
    await erase()
    await expect(page.getByText(/^There are still upcoming appointments/).first()).toBeVisible()
    for (const { id } of [first, second]) {
      const actions = `/api/calendars/${calendar.id}/appointments/${id}/actions`
      await postToApi(ownerPage.context().request, actions, { action: 'cancel' })
    }
    await erase()
    await expect(page.getByRole('heading', { name: 'Details erased' })).toBeVisible()
  })
})
