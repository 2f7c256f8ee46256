import type { Page } from '@playwright/test'
import { expectNoAxeFindings } from '#e2e/support/axe.ts'
import { createCalendar, makePerson, signUp } from '#e2e/support/people.ts'
import { expect, test } from '#e2e/support/test.ts'

test('from typing a domain to a domain that is live, without a connection to anywhere', {
  tag: '@slow',
}, async ({ page, newVisitor }) => {
  await signUp(page, makePerson('Kofi Osei'))
  await buyProfessional(page)
  const calendar = await createCalendar(page)
  const domain = `termine.osei-${calendar.slug}.localhost`.slice(0, 200)
  await page.goto(`/calendar/${calendar.id}/settings?tab=domains`)
  const bookingPage = page.getByRole('region', { name: 'Booking Page' })

  await test.step('the domain is typed, and its records are shown', async () => {
    await page.getByRole('radio', { name: 'Custom domain' }).check()
    const field = page.getByRole('textbox', { name: 'Custom domain' })
    await field.fill('https://osei')
    await expect(page.getByText('Please enter a valid domain')).toBeVisible()
    await field.fill(`  ${domain.toUpperCase()} `)
    await expect(page.getByText('Valid domain format')).toBeVisible()
    await page.getByRole('button', { name: 'Save domain settings' }).click()
    await expect(page.getByText('Custom domain added. Please configure DNS records.')).toBeVisible()
    await expect(page.getByText('Waiting for your DNS records')).toBeVisible()
    await expectNoAxeFindings(page)
  })
  const [text, name] = [readRecord(page, 'TXT'), readRecord(page, 'CNAME')]
  const [proof, pointing] = [await text(), await name()]
  const dns = await openDns(page)

  await test.step('before the records are there nothing is served', async () => {
    await page.getByRole('button', { name: 'Verify Domain' }).click()
    await expect(page.getByText('Domain verification pending. Please check DNS configuration.')).toBeVisible()
    await expect(page.getByText('Not found')).toHaveCount(2)
    await expect(bookingPage.getByText(`/book/${calendar.slug}`)).toBeVisible()
  })

  await test.step('a record that leads somewhere else is told apart', async () => {
    await addRecord(dns, { type: 'TXT', ...proof })
    await addRecord(dns, { type: 'CNAME', name: pointing.name, value: 'shop.localhost' })
    await page.getByRole('button', { name: 'Verify Domain' }).click()
    await expect(page.getByText('Different')).toBeVisible()
    await expect(page.getByText('shop.localhost')).toBeVisible()
    await expectNoAxeFindings(page)
  })

  await test.step('with both records the domain is live, and the link of the calendar is the domain', async () => {
    await dns.getByRole('button', { name: `Remove CNAME ${domain}` }).click()
    await addRecord(dns, { type: 'CNAME', ...pointing })
    await page.getByRole('button', { name: 'Verify Domain' }).click()
    await expect(page.getByText('Domain verified!')).toBeVisible()
    await expect(page.getByText('Your domain is live')).toBeVisible()
    await expect(bookingPage.getByText(domain)).toBeVisible()
    await expectNoAxeFindings(page)
  })

  const visitor = await newVisitor()
  const address = await bookingPage.getByRole('link', { name: 'View Booking Page' }).getAttribute('href')
  await test.step('a customer finds the booking page there, and is led there from the booking link', async () => {
    await visitor.goto(`/book/${calendar.slug}`)
    await expect(visitor).toHaveURL(`${address}/`)
    await expect(visitor.getByText(calendar.name)).toBeVisible()
  })

  await test.step('a path takes its place, and the domain is given up', async () => {
    await page.getByRole('radio', { name: 'Path' }).check()
    await page.getByRole('textbox', { name: 'Path' }).fill(`osei-${calendar.slug}`.slice(0, 50))
    await page.getByRole('button', { name: 'Save domain settings' }).click()
    await page.getByRole('button', { name: 'Change address' }).click()
    await expect(page.getByText('Domain settings updated successfully')).toBeVisible()
    await expect(bookingPage.getByText(`/book/osei-${calendar.slug}`.slice(0, 56))).toBeVisible()
    await visitor.goto(`${address}/`)
    await expect(visitor).toHaveURL(/\/book\/osei-/)
    await expect(visitor.getByText(calendar.name)).toBeVisible()
  })
})

/** Buys the plan that includes custom domains in the sandbox. */
async function buyProfessional(page: Page): Promise<void> {
  await page.goto('/pricing')
  await page.getByRole('button', { name: 'Subscribe: Professional' }).click()
  await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
  await expect(page.getByText('Your subscription is active. Thank you!')).toBeVisible()
}

/** Reads the name and the value of a DNS record from the page. */
function readRecord(page: Page, type: string) {
  const record = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: `${type} record` }) })
  return async () => {
    const [name = '', value = ''] = await record.getByRole('code').allTextContents()
    return { name, value }
  }
}

async function openDns(page: Page): Promise<Page> {
  const opened = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Open the DNS page' }).click()
  const dns = await opened
  await expect(dns.getByRole('heading', { name: 'DNS records' })).toBeVisible()
  await expectNoAxeFindings(dns)
  return dns
}

async function addRecord(
  dns: Page,
  { type, name, value }: { type: string; name: string; value: string },
): Promise<void> {
  const form = dns.locator('form').filter({ hasText: 'Add a record' })
  await form.getByRole('combobox').selectOption(type)
  await form.getByRole('textbox', { name: 'Name' }).fill(name)
  await form.getByRole('textbox', { name: 'Value' }).fill(value)
  await form.getByRole('button', { name: 'Add' }).click()
  await expect(dns.getByRole('button', { name: `Remove ${type} ${name}` }).first()).toBeVisible()
}
