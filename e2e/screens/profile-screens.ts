import { expect, type Page } from '@playwright/test'
import type { Profile } from '#contract/profile.ts'
import { makePerson } from '#e2e/support/people.ts'
import { press } from './calendar-tab.ts'
import { awaited, type Screen } from './screen.ts'

const SECURITY = '/profile?tab=security'
const TWO_FACTOR = '**/api/security/two-factor'
const isOn = (backup_codes_left: number) => ({
  [`GET ${TWO_FACTOR}`]: { json: { enabled: true, backup_codes_left } },
})

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
  {
    name: 'personal-pending-email',
    path: '/profile',
    as: 'beginner',
    answers: {
      '**/api/profile': (profile: Profile) => ({ ...profile, pending_email: 'ida@berg-yoga.example' }),
    },
    sees: 'We have sent a link to ida@berg-yoga.example',
  },
  ...awaited({ name: 'personal', path: '/profile', as: 'beginner' }, ['**/api/profile'], {
    loading: 'Loading your profile...',
    failed: 'Failed to load profile data',
  }),
  { name: 'personal-wordy', path: '/profile', as: 'wordy', sees: 'Edit Profile' },
  { name: 'subscription', path: '/profile?tab=subscription', as: 'beginner', sees: '1 of 1 calendar used' },
  { name: 'subscription-paid', path: '/profile?tab=subscription', as: 'demo', sees: /of 5 calendars used/ },
  ...awaited(
    { name: 'subscription', path: '/profile?tab=subscription', as: 'beginner' },
    ['**/api/subscription'],
    { loading: 'Loading your subscription...', failed: 'Failed to load your subscription' },
  ),
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
  {
    name: 'security-second-factor-qr',
    path: SECURITY,
    as: 'beginner',
    does: startTwoFactor,
    sees: /^Scan this code/,
  },
  {
    name: 'security-second-factor-codes',
    path: SECURITY,
    as: 'beginner',
    answers: { [`${TWO_FACTOR}/confirmation`]: { json: { enabled: true, backup_codes_left: 10 } } },
    does: async (page) => {
      await startTwoFactor(page)
      await page.getByLabel('Enter the code that the app shows now').fill('123456')
    },
    sees: 'Save your backup codes',
  },
  {
    name: 'security-second-factor-on',
    path: SECURITY,
    as: 'beginner',
    answers: isOn(3),
    sees: /^You have 3 backup codes/,
  },
  {
    name: 'security-second-factor-new-codes',
    path: SECURITY,
    as: 'beginner',
    answers: isOn(10),
    does: press('New backup codes'),
    sees: 'Make new backup codes?',
  },
  {
    name: 'security-second-factor-off',
    path: SECURITY,
    as: 'beginner',
    answers: isOn(10),
    does: press('Turn off'),
    sees: 'Turn off two-factor authentication?',
  },
  ...awaited({ name: 'security', path: SECURITY, as: 'beginner' }, [TWO_FACTOR, '**/api/security/sessions'], {
    loading: ['Loading...', 'Loading your devices...'],
    failed: ['Failed to load two-factor authentication', 'Failed to load your devices'],
  }),
  { name: 'notifications', path: '/profile?tab=notifications', as: 'beginner', sees: 'New bookings' },
]

/** Password first: the next step has the code to scan. It is never confirmed, so that nothing changes. */
async function startTwoFactor(page: Page): Promise<void> {
  await press('Turn on')(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Password/).fill(makePerson('Ida Berg').password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
}
