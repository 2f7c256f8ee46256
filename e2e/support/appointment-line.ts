import type { Locator } from '@playwright/test'
import { expect } from './test.ts'

/** Opens an appointment in the list. On a phone it is one line that is pressed; elsewhere everything is there. */
export async function openLine(appointment: Locator): Promise<void> {
  await expect(appointment).toBeVisible()
  const line = appointment.getByRole('heading').getByRole('button', { expanded: false })
  if ((await line.count()) > 0) await line.click()
}
