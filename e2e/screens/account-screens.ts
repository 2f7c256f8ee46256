import type { Page } from '@playwright/test'
import { makePerson } from '#e2e/support/people.ts'
import type { Screen } from './screen.ts'

/** The ways into an account. */
export const ACCOUNT_SCREENS: readonly Screen[] = [
  { name: 'login', path: '/login', sees: 'Forgot password?' },
  { name: 'login-empty', path: '/login', does: press('Log in'), sees: /required|enter/i },
  {
    name: 'login-refused',
    path: '/login',
    sees: 'Invalid email or password',
    complains: /401/,
    does: async (page) => {
      await page.getByLabel('Email').fill('nobody@example.com')
      await page.getByLabel(/^Password/).fill('not the password')
      await press('Log in')(page)
    },
  },
  { name: 'login-guest', path: '/dashboard', sees: 'Forgot password?' },
  { name: 'register', path: '/register', sees: 'Create your account' },
  {
    name: 'register-errors',
    path: '/register',
    sees: 'Passwords do not match!',
    does: async (page) => {
      await page.getByLabel('Full Name').fill('I')
      await page.getByLabel('Email').fill('ida@')
      await page.getByLabel(/^Password/).fill('right-length')
      await page.getByLabel('Confirm Password').fill('another length')
      await press('Create account')(page)
    },
  },
  { name: 'forgot-password', path: '/forgot-password', sees: 'Forgot password?' },
  {
    name: 'forgot-password-sent',
    path: '/forgot-password',
    sees: 'Check your email',
    does: async (page) => {
      await page.getByLabel('Email').fill(makePerson('Nobody').email)
      await page.getByRole('button', { name: /send/i }).click()
    },
  },
  { name: 'reset-password', path: '/reset-password?token=any', sees: 'Choose a new password' },
  {
    name: 'reset-password-errors',
    path: '/reset-password?token=any',
    sees: 'Passwords do not match!',
    does: async (page) => {
      await page
        .getByLabel(/^New password/i)
        .first()
        .fill('a new password')
      await page.getByLabel(/^confirm/i).fill('another password')
      await page
        .getByRole('main')
        .getByRole('button', { name: /password$/i })
        .last()
        .click()
    },
  },
  { name: 'reset-password-dead-link', path: '/reset-password', sees: /link/ },
  { name: 'confirm-dead-link', path: '/auth/callback?token=none', sees: /no longer valid/, complains: /400/ },
  {
    name: 'email-change-dead-link',
    path: '/auth/email-change?token=none',
    sees: /no longer valid/,
    complains: /400/,
  },
]

function press(name: string): (page: Page) => Promise<void> {
  return (page) => page.getByRole('button', { name, exact: true }).click()
}
