import { screen, within } from '@testing-library/react'

/** Returns the link to a tab in the list of a calendar's settings, once the list is there. */
export async function findSettingsLink(name: string): Promise<HTMLElement> {
  const list = await screen.findByRole('navigation', { name: 'Calendar settings' })
  return within(list).getByRole('link', { name })
}
