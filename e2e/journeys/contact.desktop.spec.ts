import { waitForMail } from '#e2e/support/mailbox.ts'
import { makePerson } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('a visitor reads who runs the installation, writes to them, and the message is in the mailbox', async ({
  page,
}) => {
  const { name, email } = makePerson('Alex Morgan')
  await page.goto('/')
  await page.getByRole('navigation', { name: 'Legal' }).getByRole('link', { name: 'Privacy' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Contact' }).click()
  await page.getByLabel('Full Name').fill(name)
  await page.getByLabel('Email Address').fill(email)
  await page.getByLabel('Subject').fill(`About ${email}`)
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByText('Please write a message.')).toBeVisible()
  await page.getByLabel('Message').fill('Good morning,\n\ncan you help me?')
  await page.getByRole('button', { name: 'Send message' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Your message is on its way.' })).toBeVisible()

  const mail = await waitForMail({ to: 'appointments@localhost', subject: `About ${email}` })
  expect(mail.reply_to).toBe(`${name} <${email}>`)
  expect(mail.text).toContain('can you help me?')
  await page.getByRole('link', { name: 'mailbox' }).click()
  await page.getByText(`Message from ${name}: About ${email}`).first().click()
  await expect(page.getByText(email).first()).toBeVisible()
  // The cookies page promises that a mere visit sets no cookies.
  expect(await page.context().cookies()).toEqual([])
})
