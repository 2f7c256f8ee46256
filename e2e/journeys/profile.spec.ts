import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { PROBLEMS } from '#contract/shared/problem.ts'
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

test('the profile is read, edited and saved, and stays so', async ({ page }) => {
  const person = makePerson('Ida Berg')
  await signUp(page, person)
  await page.goto('/profile')
  await expect(page.getByLabel('First name')).toBeDisabled()
  await expect(page.getByLabel('Time zone', { exact: true })).toHaveValue('New York (America/New_York)')
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await page.getByLabel('First name').fill('')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('First name is required')).toBeVisible()
  await page.getByLabel('First name').fill('Idun')
  await page.getByLabel('Phone').fill('+45 33 12 34 56')
  await page.getByLabel('Time zone', { exact: true }).fill('copenh')
  await page.getByRole('option', { name: /Copenhagen/ }).click()
  await page.getByLabel('Bio').fill('Movement.\n\nAnd rest.')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Profile updated successfully!')).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('First name')).toHaveValue('Idun')
  await expect(page.getByLabel('Phone')).toHaveValue('+45 33 12 34 56')
  await expect(page.getByLabel('Time zone', { exact: true })).toHaveValue('Copenhagen (Europe/Copenhagen)')
  await expect(page.getByLabel('Bio')).toHaveValue('Movement.\n\nAnd rest.')
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { name: 'Welcome, Idun' })).toBeVisible()
})

test('an address changes when the link that was sent to it is opened', async ({ page, allowConsole }) => {
  allowConsole(/403/)
  const person = makePerson('Ida Berg')
  const { email } = makePerson('Ida Moved')
  await signUp(page, person)
  await page.goto('/profile')
  await page.getByRole('button', { name: 'Edit Profile' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Current password').fill('not the password')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(PROBLEMS['account.wrong_password'].title)).toBeVisible()
  await page.getByLabel('Current password').fill(person.password)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText(`We’ve sent a link to ${email}`)).toBeVisible()
  await expectNoAxeFindings(page)
  await waitForMail({ to: person.email, subject: 'about to change' })

  const mail = await waitForMail({ to: email, subject: 'Confirm your new email address' })
  await page.goto(findLink(mail, '/auth/email-change'))
  await expect(page.getByText(/^Your email address has changed/)).toBeVisible()
  await expect(page).toHaveURL(/\/profile/)
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await waitForMail({ to: person.email, subject: 'was changed' })
})

test('the plan, the messages and the way to all data', async ({ page }) => {
  const person = makePerson('Ida Berg')
  await signUp(page, person)
  await createCalendar(page, { name: 'Practice of Ida' })
  await page.goto('/profile')
  await page.getByRole('tab', { name: 'Subscription' }).click()
  await expect(page.getByText('1 of 1 calendar used')).toBeVisible()
  await page.getByRole('button', { name: 'Refresh' }).click()
  await expect(page.getByText('Subscription status refreshed')).toBeVisible()

  await page.getByRole('tab', { name: 'Notifications' }).click()
  await page.getByRole('switch', { name: 'New bookings' }).click()
  await expect(page.getByText('Notification settings saved')).toBeVisible()
  await page.reload()
  await expect(page.getByRole('switch', { name: 'New bookings' })).not.toBeChecked()
  await expect(page.getByRole('switch', { name: 'Cancellations' })).toBeChecked()

  await page.getByRole('tab', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Export all my data' }).click()
  await page.getByLabel(/^Password/).fill(person.password)
  await expectNoAxeFindings(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const archive = await readFile(await (await download).path())
  const files = unzipSync(archive)
  expect(strFromU8(files['calendars.csv'] ?? new Uint8Array())).toContain('Practice of Ida')
  expect(JSON.parse(strFromU8(files['profile.json'] ?? new Uint8Array()))).toMatchObject([
    { email: person.email },
  ])
})

test('an account is deleted with everything in it, and its customers are told', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  allowConsole(/40[134]/)
  const person = makePerson('Ida Berg')
  const customer = makePerson('Alan Turing')
  await signUp(page, person)
  const calendar = await createCalendar(page)
  await bookAppointment(page.context().request, calendar, {
    startsAt: toInstant(nextTuesday(), '13:00'),
    person: customer,
  })

  await page.goto('/profile?tab=account')
  await page.getByRole('button', { name: 'Delete my account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await expectNoAxeFindings(page)
  await dialog.getByLabel('Your email address').fill(person.email)
  await dialog.getByLabel(/^Password/).fill('not the password')
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(dialog.getByText(PROBLEMS['account.wrong_password'].title)).toBeVisible()
  await dialog.getByLabel(/^Password/).fill(person.password)
  await dialog.getByRole('button', { name: 'Delete my account' }).click()
  await expect(
    page.getByText('Your account has been deleted. Thank you for your time with us.'),
  ).toBeVisible()
  await expect(page).toHaveURL(/\/$/)
  expect(await page.context().cookies()).toEqual([])

  await waitForMail({ to: customer.email, subject: /cancelled/i })
  await waitForMail({ to: person.email, subject: 'Your account is deleted' })
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login/)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel(/^Password/).fill(person.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByText(PROBLEMS['auth.invalid_credentials'].title).first()).toBeVisible()
  const visitor = await newVisitor()
  await visitor.goto(`/book/${calendar.slug}`)
  await expect(visitor.getByRole('heading', { name: 'Calendar Not Found' })).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in ${colorScheme}`, { tag: colorScheme === 'dark' ? '@slow' : [] }, () => {
    test.use({ colorScheme })

    test('the tabs are accessible and do not scroll sideways', async ({ page }) => {
      await signUp(page, makePerson('Ida Berg'))
      const tabs = [
        ['personal', 'Edit Profile'],
        ['subscription', 'Refresh'],
        ['account', 'Delete my account'],
      ] as const
      for (const [tab, button] of tabs) {
        await page.goto(`/profile?tab=${tab}`)
        await expect(page.getByRole('button', { name: button })).toBeVisible()
        await inspect(page, tab)
      }
      await page.goto('/profile?tab=notifications')
      await expect(page.getByRole('switch', { name: 'Cancellations' })).toBeVisible()
      await inspect(page, 'notifications')
    })

    test('a form with a mistake and a dead link are accessible', { tag: '@slow' }, async ({
      page,
      allowConsole,
    }) => {
      allowConsole(/400/)
      await signUp(page, makePerson('Ida Berg'))
      await page.goto('/profile')
      await page.getByRole('button', { name: 'Edit Profile' }).click()
      await page.getByLabel('Email').fill('')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByText('Email is required')).toBeVisible()
      await inspect(page, 'a form with a mistake')
      await page.goto('/auth/email-change?token=none')
      await expect(page.getByText(PROBLEMS['auth.invalid_token'].title)).toBeVisible()
      await inspect(page, 'email-change')
    })
  })
}

test('guests are told to log in, and come back to the tab they wanted', { tag: '@slow' }, async ({
  page,
  newVisitor,
}) => {
  const person = makePerson('Ida Berg')
  await signUp(await newVisitor(), person)
  await page.goto('/profile?tab=notifications')
  await expect(page.getByText('Please log in to access your profile.')).toBeVisible()
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel(/^Password/).fill(person.password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await expect(page.getByRole('switch', { name: 'New bookings' })).toBeChecked()
})

async function inspect(page: Page, name: string): Promise<void> {
  await test.step(name, async () => {
    await expectNoAxeFindings(page)
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await expect.poll(overflow, `${name} scrolls sideways`).toBeLessThanOrEqual(0)
  })
}
