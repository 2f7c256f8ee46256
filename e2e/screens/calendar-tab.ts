import type { Page } from '@playwright/test'
import type { World } from './world.ts'

/** The address of a tab of a calendar's settings. */
export function tab(name: string, of: keyof World['calendars'], query = '') {
  return ({ calendars }: World) => `/calendar/${calendars[of].id}/settings?tab=${name}${query}`
}

/** Presses the first button of that name. */
export function press(name: string | RegExp) {
  return (page: Page) => page.getByRole('button', { name }).first().click()
}
