import { expect, type Page } from '@playwright/test'
import { awaited, type Screen } from './screen.ts'
import type { World } from './world.ts'

const customers = (of: keyof World['calendars'], query = '') => {
  return ({ calendars }: World) => `/calendar/${calendars[of].id}/customers${query}`
}

/** The owner's customers, and the page of one. */
export const RECORD_SCREENS: readonly Screen[] = [
  { name: 'customers', path: customers('demo'), as: 'demo', sees: /^Page 1 of/ },
  { name: 'customers-wordy', path: customers('wordy'), as: 'wordy', sees: 'Customers' },
  { name: 'customers-none', path: customers('empty'), as: 'beginner', sees: 'No customers yet' },
  {
    name: 'customers-none-found',
    path: customers('demo', '?search=nobody'),
    as: 'demo',
    sees: 'No customers found',
  },
  ...awaited({ name: 'customers', path: customers('demo'), as: 'demo' }, ['**/customer-list?*'], {
    loading: 'Loading customers...',
    failed: 'Failed to load customers',
  }),
  { name: 'customer', path: customers('demo'), as: 'demo', does: openFirst, sees: 'Save Notes' },
  {
    name: 'customer-merge',
    path: customers('demo'),
    as: 'demo',
    does: async (page) => {
      await openFirst(page)
      await page.getByRole('button', { name: 'Merge with another record' }).click()
      await page.getByLabel('Find the other record').fill('example')
      await page.getByRole('dialog').getByRole('radio').last().check()
    },
    sees: 'This cannot be undone.',
  },
  {
    name: 'customer-edit',
    path: customers('demo'),
    as: 'demo',
    does: openEdit,
    sees: /Links in emails to .* end/,
  },
  {
    name: 'customer-edit-taken',
    path: customers('demo'),
    as: 'demo',
    does: async (page) => {
      const taken = await page.getByRole('list', { name: 'Customers' }).getByText(/@/).nth(1).textContent()
      const dialog = await openEdit(page)
      await dialog.getByLabel('Email').fill(taken ?? '')
      await dialog.getByRole('button', { name: 'Save' }).click()
    },
    fails: true,
    complains: /409/,
    sees: 'Merge the two records',
  },
  {
    name: 'customer-erase',
    path: customers('demo'),
    as: 'demo',
    does: async (page) => {
      await openFirst(page)
      await page.getByRole('button', { name: 'Erase', exact: true }).click()
    },
    sees: 'Erase Customer',
  },
  ...awaited(
    { name: 'customer', isPageless: true, path: customers('demo'), as: 'demo', does: pressFirst },
    ['**/customers/*'],
    { loading: 'Loading customer...', failed: 'Failed to load the customer' },
  ),
]

async function pressFirst(page: Page): Promise<void> {
  await page.getByRole('list', { name: 'Customers' }).getByRole('link').first().click()
}

/** Types another address into the record of the first customer who has one. */
async function openEdit(page: Page) {
  await openFirst(page)
  await page.getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit Customer' })
  await dialog.getByLabel('Email').fill('somebody-else@example.com')
  return dialog
}

async function openFirst(page: Page): Promise<void> {
  await pressFirst(page)
  await expect(page.getByRole('button', { name: 'Save Notes' })).toBeVisible()
}
