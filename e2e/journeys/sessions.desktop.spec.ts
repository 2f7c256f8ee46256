import type { Page } from '@playwright/test'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { findLink, listMails, waitForMail } from '#e2e/support/mailbox.ts'
import { makePerson, signUp } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('a forgotten password is replaced by a link from a mail, and the old one is dead', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  allowConsole(/401/)
  const person = makePerson('Vera Rubin')
  const elsewhere = await newVisitor()
  await signUp(elsewhere, person)

  await page.goto('/login')
  await page.getByText('Forgot password?').click()
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('button', { name: /send/i }).click()
  const mail = await waitForMail({ to: person.email, subject: /password/i })
  await page.goto(findLink(mail, '/reset-password'))
  await page
    .getByLabel(/^New password/i)
    .first()
    .fill('an even better password')
  await page.getByLabel(/^(confirm|repeat)/i).fill('an even better password')
  await page
    .getByRole('main')
    .getByRole('button', { name: /password$/i })
    .last()
    .click()
  await expect(page).toHaveURL(/\/login/)

  await logIn(page, person.email, person.password)
  await expect(page.getByText(PROBLEMS['auth.invalid_credentials'].title).first()).toBeVisible()
  await logIn(page, person.email, 'an even better password')
  await expect(page).toHaveURL(/\/dashboard/)

  await elsewhere.goto('/dashboard')
  await expect(elsewhere).toHaveURL(/\/login/)
})

test('guests are sent to log in and come back to where they wanted to go', { tag: '@slow' }, async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  allowConsole(/401/)
  const person = makePerson('Vera Rubin')
  await signUp(await newVisitor(), person)
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login/)
  await logIn(page, person.email, person.password)
  await expect(page.getByText('Successfully logged in!').first()).toBeVisible()
  await expect(page).toHaveURL(/\/dashboard/)

  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(/\/$/)
  expect(await page.evaluate(() => localStorage.getItem('isLoggedIn'))).toBeNull()
  await page.goto('/dashboard')
  await expect(page).toHaveURL(/\/login/)
})

test('registering an address twice answers the same, and its owner is told', async ({ page, newVisitor }) => {
  const person = makePerson('Vera Rubin')
  await signUp(await newVisitor(), person)
  await page.goto('/register')
  await page.getByLabel('Full Name').fill('Somebody Else')
  await page.getByLabel('Email').fill(person.email)
  await page
    .getByLabel(/^Password/)
    .first()
    .fill('another password')
  await page.getByLabel('Confirm password').fill('another password')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(
    page.getByText('Registration successful! Please check your email to confirm your account.').first(),
  ).toBeVisible()
  await waitForMail({ to: person.email, subject: /already/i })
  expect(await listMails({ to: person.email, subject: 'Confirm' })).toHaveLength(1)
})

test('the password can be shown and hidden', { tag: '@slow' }, async ({ page }) => {
  await page.goto('/login')
  const password = page.getByLabel(/^Password/).first()
  await password.fill('secret words')
  await expect(password).toHaveAttribute('type', 'password')
  await page.getByRole('button', { name: /show/i }).click()
  await expect(password).toHaveAttribute('type', 'text')
  await page.getByRole('button', { name: /hide/i }).click()
  await expect(password).toHaveAttribute('type', 'password')
})

async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page
    .getByLabel(/^Password/)
    .first()
    .fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}
