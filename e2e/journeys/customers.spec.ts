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

test('an owner keeps notes about a customer, merges two records of one person, takes them along and erases them', async ({
  page,
  allowConsole,
  isMobile,
}) => {
  allowConsole(/409/)
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const ada = makePerson('Ada Lovelace')
  const other = { ...makePerson('Augusta King'), name: 'A. Lovelace' }
  const day = nextTuesday()
  const booked = [
    await bookAppointment(page.request, calendar, { startsAt: toInstant(day, '10:00'), person: ada }),
    await bookAppointment(page.request, calendar, { startsAt: toInstant(day, '11:00'), person: other }),
  ]

  await page.goto(`/calendar/${calendar.id}/settings?tab=appointments`)
  // On a phone the link is with the search.
  if (isMobile) await page.getByRole('button', { name: 'Search, filter and export' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Customers', exact: true }).click()
  const list = page.getByRole('list', { name: 'Customers' })
  await expect(list.getByRole('listitem')).toHaveCount(2)
  await list.getByRole('link', { name: 'Ada Lovelace' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ada Lovelace' })).toBeVisible()
  await page.getByLabel('Only you see these notes').fill('Comes with a dog.')
  await page.getByRole('button', { name: 'Save notes' }).click()
  await expect(page.getByText('Notes saved').first()).toBeVisible()

  await page.getByRole('button', { name: 'Merge with another record' }).click()
  const dialog = page.getByRole('dialog', { name: 'Merge two records' })
  await dialog.getByLabel('Find the other record').fill(other.email)
  await dialog.getByRole('radio', { name: 'A. Lovelace' }).check()
  await expect(dialog.getByText('This can’t be undone.')).toBeVisible()
  await expect(dialog.getByText(`From then on, emails go to ${ada.email}`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Merge records' }).click()
  await expect(page.getByText('The records have been merged').first()).toBeVisible()
  await expect(page.getByRole('list', { name: 'Appointments' }).getByRole('article')).toHaveCount(2)

  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toBe('customer.json')

  await page.getByRole('button', { name: 'Erase', exact: true }).click()
  await page.getByRole('button', { name: 'Erase customer' }).click()
  await expect(page.getByText(/There are still upcoming appointments/).first()).toBeVisible()
  await expect(page.getByLabel('Only you see these notes')).toHaveValue('Comes with a dog.')

  await test.step('once nothing is ahead, the name is gone for good', async () => {
    for (const { id } of booked) {
      const path = `/api/calendars/${calendar.id}/appointments/${id}/actions`
      await postToApi(page.request, path, { action: 'cancel' })
    }
    await page.getByRole('button', { name: 'Erase', exact: true }).click()
    await page.getByRole('button', { name: 'Erase customer' }).click()
    await expect(page.getByText('The customer’s details were erased').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Erase', exact: true })).toBeHidden()
    await page.reload()
    await expect(page.getByRole('link', { name: 'Export' })).toBeVisible()
    await expect(page.getByText('Ada Lovelace')).toHaveCount(0)
    await expect(page.getByText('Comes with a dog.')).toHaveCount(0)
  })
})

test('an owner corrects an email address: the earlier link ends, and the customer gets a new one', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  allowConsole(/409|410/)
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  const typed = makePerson('Grace Hopper')
  const [other, right] = [makePerson('Alan Turing'), makePerson('Grace Hopper')]
  const day = nextTuesday()
  await bookAppointment(page.request, calendar, { startsAt: toInstant(day, '10:00'), person: typed })
  await bookAppointment(page.request, calendar, { startsAt: toInstant(day, '11:00'), person: other })
  const earlier = findLink(await waitForMail({ to: typed.email, subject: 'Booking confirmed' }), '/manage/')

  await page.goto(`/calendar/${calendar.id}/customers`)
  await page.getByRole('list', { name: 'Customers' }).getByRole('link', { name: 'Grace Hopper' }).click()
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit customer' })
  await dialog.getByLabel('Email').fill(other.email)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('button', { name: 'Merge the two records' })).toBeVisible()
  await expectNoAxeFindings(page)
  await dialog.getByLabel('Email').fill(right.email)
  await dialog.getByLabel('Name').fill('Grace B. Hopper')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Grace B. Hopper' })).toBeVisible()

  const mail = await waitForMail({ to: right.email, subject: 'Your appointment' })
  const visitor = await newVisitor()
  await visitor.goto(earlier)
  await expect(visitor.getByRole('heading', { name: 'Link replaced' })).toBeVisible()
  await visitor.goto(findLink(mail, '/manage/'))
  await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(visitor.getByText('Grace B. Hopper').first()).toBeVisible()
})
