import type { Page } from '@playwright/test'

/** A toast goes after five seconds, and its pictures take longer: it stays as long as the mouse is over it. */
export async function keepToast(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Dismiss' }).hover()
}
