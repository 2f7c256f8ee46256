import { expect, type Page } from '@playwright/test'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { postToApi } from './people.ts'

/** A longer timeout: Playwright's setup, unlike a test, has no timeout of its own for expectations. */
const PATIENTLY = { timeout: 30_000 }

/** Connects a Stripe stand-in account without using the settings page. */
export async function connectStripe(page: Page, calendar: Calendar): Promise<void> {
  await goToProvider(page, calendar, 'stripe')
  await page.getByRole('button', { name: 'Allow access' }).click()
  await expect(page.getByText('Stripe account connected successfully!')).toBeVisible(PATIENTLY)
}

/** Saves a practice's PayPal app credentials and connects its account at PayPal's stand-in, without using the settings page. */
export async function connectPaypal(page: Page, calendar: Calendar): Promise<void> {
  const path = `/api/calendars/${calendar.id}/payment-settings`
  const { request } = page.context()
  const { paypal_callback_url } = await (await request.get(path)).json()
  const saved = await request.patch(path, {
    data: {
      paypal_client_id: 'client-of-the-practice',
      paypal_client_secret: 'a secret of the practice',
      paypal_redirect_uri: paypal_callback_url,
      paypal_mode: 'sandbox',
    },
  })
  expect(saved.status(), await saved.text()).toBe(200)
  await goToProvider(page, calendar, 'paypal')
  await page.getByRole('button', { name: 'Log in and allow access' }).click()
  await expect(page.getByText('PayPal account connected successfully!')).toBeVisible(PATIENTLY)
}

/** Opens the stand-in's page on which an owner grants access. */
async function goToProvider(page: Page, calendar: Calendar, provider: 'stripe' | 'paypal'): Promise<void> {
  const path = `/api/calendars/${calendar.id}/payment-providers/${provider}/connection`
  const { url } = await postToApi<{ url: string }>(page.context().request, path, undefined)
  await page.goto(url)
}
