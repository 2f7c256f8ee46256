import type { Locator } from '@playwright/test'
import { expect } from './test.ts'

/** Opens an appointment in the list. On a phone, this taps its line; on wider screens, every detail is already visible. */
export async function openAppointment(appointment: Locator): Promise<void> {
  await expect(appointment).toBeVisible()
  const line = appointment.getByRole('heading').getByRole('button', { expanded: false })
  if ((await line.count()) > 0) await line.click()
}
