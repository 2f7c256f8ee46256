import type { Page } from '@playwright/test'
import type { TwoFactorSetup } from '#contract/accounts/security.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { serverUrl } from '#e2e/support/environment.ts'
import { listMails, waitForMail } from '#e2e/support/mailbox.ts'
import { makePerson, type Person, signUp } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'
import { totpAt, wrongCodeAt } from '#tests/support/totp.ts'

const SECURITY = '/profile?tab=security'

test('a changed password signs out the other browser, and only the new one opens the account', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  allowConsole(/40[13]/)
  const person = makePerson('Vera Rubin')
  await signUp(page, person)
  const elsewhere = await newVisitor()
  await logIn(elsewhere, person)
  await expect(elsewhere).toHaveURL(/\/dashboard/)

  await page.goto(SECURITY)
  await changePassword(page, 'not my password', 'an even better password')
  await expect(page.getByText(PROBLEMS['account.wrong_password'].title)).toBeVisible()
  await page.getByLabel('Current password').fill(person.password)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed successfully!')).toBeVisible()
  await waitForMail({ to: person.email, subject: 'Your password was changed' })
  await page.reload()
  await expect(page.getByText('In use now')).toBeVisible()

  await elsewhere.reload()
  await expect(elsewhere).toHaveURL(/\/login/)
  await logIn(elsewhere, person)
  await expect(elsewhere.getByText(PROBLEMS['auth.invalid_credentials'].title).first()).toBeVisible()
  await logIn(elsewhere, { ...person, password: 'an even better password' })
  await expect(elsewhere).toHaveURL(/\/dashboard/)
})

test('a device is signed out from another one, and then all others', { tag: '@slow' }, async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  allowConsole(/401/)
  const person = makePerson('Vera Rubin')
  await signUp(page, person)
  const [second, third] = [await newVisitor(), await newVisitor()]
  await logIn(second, person)
  await expect(second).toHaveURL(/\/dashboard/)

  await page.goto(SECURITY)
  // The devices are the API client that registered the person, and the browsers.
  const devices = page.getByRole('listitem').filter({ hasText: 'Logged in' })
  await expect(devices.filter({ hasText: 'This device' })).toHaveCount(1)
  await expect(devices).toHaveCount(2)
  await expectNoAxeFindings(page)
  await devices.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText(/was signed out$/)).toBeVisible()
  await expect(devices).toHaveCount(1)
  await second.reload()
  await expect(second).toHaveURL(/\/login/)

  await logIn(second, person)
  await expect(second).toHaveURL(/\/dashboard/)
  await logIn(third, person)
  await expect(third).toHaveURL(/\/dashboard/)
  await page.reload()
  await page.getByRole('button', { name: 'Sign out all other devices' }).click()
  await page.getByRole('button', { name: 'Sign out others' }).click()
  await expect(page.getByText('2 devices were signed out')).toBeVisible()
  // The page shows one toast at a time, so this toast replaced any earlier one.
  await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(1)
  for (const other of [second, third]) {
    await other.reload()
    await expect(other).toHaveURL(/\/login/)
  }
})

test('a second factor is turned on with a first code, and the backup codes are shown', async ({
  page,
  allowConsole,
}) => {
  allowConsole(/40[13]/)
  const person = makePerson('Vera Rubin')
  await signUp(page, person)
  await page.goto(SECURITY)
  await page.getByRole('button', { name: 'Turn on' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Password/).fill(person.password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  const secret = (await dialog.getByRole('code').innerText()).replace(/\s/g, '')
  await expectNoAxeFindings(page)
  const code = dialog.getByLabel('Enter the current code from the app')
  await code.fill(wrongCodeAt(secret, Date.now()))
  await expect(dialog.getByText('This code is incorrect.', { exact: false })).toBeVisible()
  await code.fill(totpAt(secret, Date.now()))
  const codes = dialog.getByRole('list', { name: 'Backup codes' }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  await expectNoAxeFindings(page)
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('link', { name: 'Download' }).click()
  expect((await downloading).suggestedFilename()).toBe('meridian-backup-codes.txt')
  await page.keyboard.press('Escape')
  await dialog.getByRole('checkbox', { name: 'I’ve saved these codes' }).check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText('You have 10 backup codes left.')).toBeVisible()
  await waitForMail({ to: person.email, subject: 'Two-factor authentication is on' })
})

test('the code is asked for after the password, once per trusted browser, and a backup code does without the phone', async ({
  page,
  newVisitor,
  allowConsole,
}) => {
  allowConsole(/40[13]/)
  const person = makePerson('Vera Rubin')
  await signUp(page, person)
  const { secret, backup_codes } = await turnOn(page, person)

  // Log in with a code of the authenticator app, which continues to the requested page.
  const elsewhere = await newVisitor()
  await elsewhere.goto(SECURITY)
  await logIn(elsewhere, person, { alreadyThere: true })
  await expect(elsewhere.getByRole('heading', { name: 'Two-factor authentication' })).toBeVisible()
  await expectNoAxeFindings(elsewhere)
  await elsewhere.getByLabel(/^Code/).fill(wrongCodeAt(secret, Date.now()))
  await expect(elsewhere.getByText('This code is incorrect.', { exact: false })).toBeVisible()
  await elsewhere.getByRole('checkbox', { name: 'Trust this device for 30 days' }).check()
  // The current code has been used to turn the second factor on, so enter the next one.
  await elsewhere.getByLabel(/^Code/).fill(totpAt(secret, Date.now() + 30_000))
  await expect(elsewhere.getByText('Successfully logged in!')).toBeVisible()
  await expect(elsewhere).toHaveURL(/\/profile\?tab=security/)

  // The device is trusted, so the password alone is enough.
  await elsewhere.getByRole('button', { name: 'Sign Out', exact: true }).click()
  await expect(elsewhere).toHaveURL(/\/$/)
  await logIn(elsewhere, person)
  await expect(elsewhere).toHaveURL(/\/dashboard/)

  // Log in without the phone, with a backup code.
  const third = await newVisitor()
  await logIn(third, person)
  await third.getByRole('button', { name: 'Use a backup code instead' }).click()
  await third.getByLabel('Backup code').fill(backup_codes[0] ?? '')
  await third.getByRole('button', { name: 'Verify' }).click()
  await expect(third).toHaveURL(/\/dashboard/)
})

test('a second factor is turned off with password and code, and nothing but the password is asked for then', {
  tag: '@slow',
}, async ({ page, newVisitor, allowConsole }) => {
  allowConsole(/401/)
  const person = makePerson('Vera Rubin')
  await signUp(page, person)
  const { backup_codes } = await turnOn(page, person)
  const dialog = page.getByRole('dialog')
  await page.goto(SECURITY)
  await expect(page.getByText('You have 10 backup codes left.')).toBeVisible()
  await page.getByRole('button', { name: 'Turn off' }).click()
  await dialog.getByLabel(/^Password/).fill(person.password)
  await dialog.getByLabel(/^Code/).fill(backup_codes[9] ?? '')
  await expectNoAxeFindings(page)
  await dialog.getByRole('button', { name: 'Turn off' }).click()
  await expect(page.getByText('Two-factor authentication is off')).toBeVisible()
  await expect.poll(() => listMails({ to: person.email, subject: 'is off' })).toHaveLength(1)
  const elsewhere = await newVisitor()
  await logIn(elsewhere, person)
  await expect(elsewhere).toHaveURL(/\/dashboard/)
})

/** Turns the second factor on through the API. */
async function turnOn(page: Page, { password }: Person): Promise<TwoFactorSetup> {
  const { request } = page.context()
  // The account library requires an Origin header on requests with a session. Browsers send one.
  const headers = { origin: serverUrl() }
  const started = await request.post('/api/security/two-factor', { headers, data: { password } })
  const setup: TwoFactorSetup = await started.json()
  const data = { code: totpAt(setup.secret, Date.now()) }
  expect((await request.post('/api/security/two-factor/confirmation', { headers, data })).status()).toBe(200)
  return setup
}

async function changePassword(page: Page, current: string, next: string): Promise<void> {
  await page.getByLabel('Current password').fill(current)
  await page.getByLabel(/^New password/).fill(next)
  await page.getByLabel('Confirm new password').fill(next)
  await page.getByRole('button', { name: 'Change password' }).click()
}

async function logIn(page: Page, { email, password }: Person, { alreadyThere = false } = {}): Promise<void> {
  if (!alreadyThere) await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}
