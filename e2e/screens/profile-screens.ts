import type { Page } from '@playwright/test'
import type { Screen } from './screen.ts'

const press = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

/** The tabs of the profile, with what opens in them. */
export const PROFILE_SCREENS: readonly Screen[] = [
  { name: 'personal', path: '/profile', as: 'beginner', sees: 'Edit Profile' },
  { name: 'personal-edit', path: '/profile', as: 'beginner', does: press('Edit Profile'), sees: 'Bio' },
  {
    name: 'personal-errors',
    path: '/profile',
    as: 'beginner',
    sees: 'Email is required',
    does: async (page) => {
      await press('Edit Profile')(page)
      await page.getByLabel('First Name').fill('')
      await page.getByLabel('Email').fill('')
      await press('Save')(page)
    },
  },
  { name: 'personal-wordy', path: '/profile', as: 'wordy', sees: 'Edit Profile' },
  { name: 'subscription', path: '/profile?tab=subscription', as: 'beginner', sees: '1 of 1 calendar used' },
  { name: 'subscription-paid', path: '/profile?tab=subscription', as: 'demo', sees: /of 5 calendars used/ },
  { name: 'account', path: '/profile?tab=account', as: 'beginner', sees: 'Delete my account' },
  {
    name: 'account-export',
    path: '/profile?tab=account',
    as: 'beginner',
    does: press('Export all my data'),
    sees: /password/i,
  },
  {
    name: 'account-delete',
    path: '/profile?tab=account',
    as: 'beginner',
    does: press('Delete my account'),
    sees: 'Delete your account?',
  },
  { name: 'security', path: '/profile?tab=security', as: 'beginner', sees: 'In use now' },
  {
    name: 'security-errors',
    path: '/profile?tab=security',
    as: 'beginner',
    does: press('Change Password'),
    sees: /required|enter/i,
  },
  {
    name: 'security-second-factor',
    path: '/profile?tab=security',
    as: 'beginner',
    does: press('Turn on'),
    sees: 'Continue',
  },
  { name: 'notifications', path: '/profile?tab=notifications', as: 'beginner', sees: 'New bookings' },
]
