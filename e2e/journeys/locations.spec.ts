import type { Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { enlargeText, expectReadable } from '#e2e/support/large-text.ts'
import { waitForMail } from '#e2e/support/mailbox.ts'
import {
  bookAppointment,
  createCalendar,
  makePerson,
  nextTuesday,
  signUp,
  toInstant,
} from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('an owner adds the first place, which is primary, and each screen is accessible', {
  tag: '@slow',
}, async ({ page }) => {
  await openLocations(page)
  await expect(page.getByText('No locations yet')).toBeVisible()
  await expectNoAxeFindings(page)

  await page.getByRole('button', { name: 'Add your first location' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add location' })
  await dialog.getByRole('button', { name: 'Add location' }).click()
  await expect(dialog.getByText(PROBLEMS['location.name_required'].title)).toBeVisible()
  await expectNoAxeFindings(page)
  await dialog.getByLabel('Name').fill('Attic')
  await dialog.getByLabel('Address').fill('1 High Road')
  await dialog.getByRole('button', { name: 'Add location' }).click()
  await expect(page.getByText('Location added successfully!').first()).toBeVisible()
  await expect(place(page, 'Attic').getByText('Primary', { exact: true })).toBeVisible()
  await expectNoAxeFindings(page)
})

test('customers are told to come to the place that was set as the primary one', { tag: '@slow' }, async ({
  page,
  newVisitor,
}) => {
  const calendar = await openLocations(page)
  await addPlace(page, 'Attic', '1 High Road')
  await addPlace(page, 'Cellar', '2 Low Road')
  await page.getByRole('button', { name: 'Set Primary: Cellar' }).click()
  await expect(page.getByText('Primary location updated!').first()).toBeVisible()
  await expect(place(page, 'Cellar').getByText('Primary', { exact: true })).toBeVisible()
  await expect(place(page, 'Attic').getByText('Primary', { exact: true })).toHaveCount(0)

  const customer = makePerson('Alan Turing')
  const booked = await bookAppointment(page.context().request, calendar, {
    startsAt: toInstant(nextTuesday(), '13:00'),
    person: customer,
  })
  expect((await waitForMail({ to: customer.email })).text).toMatch(/Cellar[\s\S]*2 Low Road/)
  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}/confirmation?appointment_id=${booked.id}`)
  await expect(visitor.getByText(/Cellar/).first()).toBeVisible()
  await expect(visitor.getByText(/2 Low Road/).first()).toBeVisible()
})

test('removing and deleting a place says what happens, and what is booked keeps it', async ({
  page,
  newVisitor,
}) => {
  const calendar = await openLocations(page)
  await addPlace(page, 'Attic', '1 High Road')
  await addPlace(page, 'Cellar', '2 Low Road')
  const booked = await bookAppointment(page.context().request, calendar, {
    startsAt: toInstant(nextTuesday(), '13:00'),
    person: makePerson('Alan Turing'),
  })

  await page.getByRole('button', { name: 'Remove Attic' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question.getByText('1 future appointment stays there as booked.')).toBeVisible()
  await expect(question.getByText('“Cellar” becomes the primary location.')).toBeVisible()
  await expectNoAxeFindings(page)
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Location removed successfully!').first()).toBeVisible()
  await expect(place(page, 'Cellar').getByText('Primary', { exact: true })).toBeVisible()

  await page.getByRole('button', { name: 'Delete Attic' }).click()
  await expect(
    question.getByText('1 future appointment stays as booked, with its name and address.'),
  ).toBeVisible()
  await question.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Location deleted successfully!').first()).toBeVisible()
  await expect(place(page, 'Attic')).toHaveCount(0)

  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}/confirmation?appointment_id=${booked.id}`)
  await expect(visitor.getByText(/1 High Road/).first()).toBeVisible()
})

test('a shared place is used by another owner who has its code, and its owner sees and ends that', async ({
  page,
  newVisitor,
}) => {
  await openLocations(page)
  await addPlace(page, 'Shared room', '1 High Road', { shareable: true })
  await page.getByRole('button', { name: 'Share it with another owner' }).click()
  const code = await page
    .getByRole('dialog')
    .getByText(/^\w{5}-\w{5}$/)
    .innerText()

  const other = await newVisitor()
  const theirs = await openLocations(other)
  await other.getByRole('button', { name: 'Use a shared location' }).click()
  await other.getByLabel('Sharing code').fill(code)
  await other.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(
    place(other, 'Shared room').getByText('Shared by another owner, and only they can change it'),
  ).toBeVisible()

  await page.reload()
  await page.getByRole('button', { name: 'Used by 1 calendar of other owners' }).click()
  const users = page.getByRole('dialog', { name: 'Who uses “Shared room”' })
  await expect(users.getByText(theirs.name)).toBeVisible()
  await expectNoAxeFindings(page)
  await enlargeText(page, 320)
  await expectReadable(page)
  await users.getByRole('button', { name: `Remove ${theirs.name}` }).click()
  await expect(users.getByText('No other owner uses this location.')).toBeVisible()

  await other.reload()
  await expect(other.getByText('No locations yet')).toBeVisible()
})

test('two windows that edit one place do not undo each other unseen', { tag: '@slow' }, async ({
  page,
  allowConsole,
}) => {
  allowConsole(/409/)
  const calendar = await openLocations(page)
  await addPlace(page, 'Attic', '1 High Road')
  const second = await page.context().newPage()
  await second.goto(`/calendar/${calendar.id}/settings?tab=locations`)

  await page.getByRole('button', { name: 'Edit Attic' }).click()
  await editPlace(second, 'Attic', '3 New Road')
  const dialog = page.getByRole('dialog', { name: 'Edit location' })
  await dialog.getByLabel('Name').fill('Loft')
  await dialog.getByLabel('Address').fill('2 Side Street')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(dialog.getByRole('definition')).toHaveText(['3 New Road'])
  await expect(dialog.getByLabel('Name')).toHaveValue('Loft')
  await dialog.getByLabel('Address').fill('3 New Road')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Location updated successfully!').first()).toBeVisible()
  await expect(place(page, 'Loft').getByText('3 New Road')).toBeVisible()
})

async function openLocations(page: Page): Promise<Calendar> {
  await signUp(page, makePerson('Ida Berg'))
  const calendar = await createCalendar(page)
  await page.goto(`/calendar/${calendar.id}/settings?tab=locations`)
  return calendar
}

function place(page: Page, name: string) {
  return page.getByRole('article', { name, exact: true })
}

async function addPlace(
  page: Page,
  name: string,
  address: string,
  { shareable = false } = {},
): Promise<void> {
  await page.getByRole('button', { name: 'Add location' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add location' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Address').fill(address)
  if (shareable) await dialog.getByRole('switch', { name: 'Shareable' }).check()
  await dialog.getByRole('button', { name: 'Add location' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('article', { name: new RegExp(`^${name}$`, 'i') })).toBeVisible()
}

async function editPlace(page: Page, name: string, address: string): Promise<void> {
  await page.getByRole('button', { name: `Edit ${name}` }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit location' })
  await dialog.getByLabel('Address').fill(address)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Location updated successfully!').first()).toBeVisible()
}
