import type { Page } from '@playwright/test'
import type { Screen } from './screen.ts'

/** What anyone may read. */
export const SITE_SCREENS: readonly Screen[] = [
  { name: 'home', path: '/', sees: 'How It Works' },
  { name: 'home-as-owner', path: '/', as: 'newcomer', sees: 'Dashboard' },
  { name: 'home-menu', path: '/', only: 'phone', does: openMenu, sees: 'Get Started' },
  { name: 'home-menu-as-owner', path: '/', as: 'newcomer', only: 'phone', does: openMenu, sees: 'Sign Out' },
  { name: 'home-account-deleted', path: '/?account=deleted', sees: /^Your account is deleted/ },
  { name: 'pricing', path: '/pricing', sees: 'Enterprise' },
  { name: 'pricing-as-owner', path: '/pricing', as: 'newcomer', sees: 'Enterprise' },
  { name: 'about', path: '/about', sees: /Who runs/ },
  { name: 'contact', path: '/contact', sees: 'Message' },
  { name: 'privacy', path: '/privacy', sees: 'Privacy' },
  { name: 'terms', path: '/terms', sees: 'Terms' },
  { name: 'cookies', path: '/cookies', sees: 'Cookies' },
  { name: 'not-found', path: '/there/is/nothing', sees: 'Page Not Found', complains: /404/ },
  { name: 'kit', path: '/sandbox/ui', sees: 'UI kit', complains: /404/, waits: true, fails: true },
]

async function openMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open menu' }).click()
}
