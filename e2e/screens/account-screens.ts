import type { Page } from '@playwright/test'
import { makePerson } from '#e2e/support/people.ts'
import { keepToast } from './keep-toast.ts'
import type { Screen } from './screen.ts'

/** The password was right, and the account has a second factor. */
const ASKS_FOR_CODE = { '**/api/auth/sign-in': { json: { user: null, two_factor_required: true } } }

/** The ways into an account. */
export const ACCOUNT_SCREENS: readonly Screen[] = [
  { name: 'login', path: '/login', sees: 'Forgot password?' },
  { name: 'login-empty', path: '/login', does: press('Log in'), sees: /required|enter/i },
  {
    name: 'login-refused',
    path: '/login',
    sees: 'Invalid email or password',
    complains: /401/,
    does: logIn,
  },
  { name: 'login-code', path: '/login', answers: ASKS_FOR_CODE, does: logIn, sees: /^It is sent as soon as/ },
  {
    name: 'login-backup-code',
    path: '/login',
    answers: ASKS_FOR_CODE,
    does: async (page) => {
      await logIn(page)
      await press('Use a backup code instead')(page)
    },
    sees: 'Enter one of the backup codes you saved.',
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
  {
    name: 'registered',
    path: '/register',
    answers: { '**/api/auth/sign-up': { json: { ok: true } } },
    does: async (page) => {
      const { name, email, password } = makePerson('Ida Berg')
      await page.getByLabel('Full Name').fill(name)
      await page.getByLabel('Email').fill(email)
      await page.getByLabel(/^Password/).fill(password)
      await page.getByLabel('Confirm Password').fill(password)
      await press('Create account')(page)
      await keepToast(page)
    },
    sees: /^Registration successful! Please check your email/,
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
  {
    name: 'reset-password-changed',
    path: '/reset-password?token=any',
    answers: { '**/api/auth/password-reset': { json: { ok: true } } },
    does: async (page) => {
      for (const label of [/^New password/i, /^confirm/i]) {
        await page.getByLabel(label).first().fill('an even better password')
      }
      await press('Save new password')(page)
      await keepToast(page)
    },
    sees: /^Your password has been changed/,
  },
  {
    name: 'confirming',
    path: '/auth/callback?token=any',
    only: 'phone',
    answers: { '**/api/auth/email-verification': 'never' },
    sees: 'Confirming your email address...',
  },
  { name: 'confirm-dead-link', path: '/auth/callback?token=none', sees: /no longer valid/, complains: /400/ },
  {
    name: 'email-changing',
    path: '/auth/email-change?token=any',
    only: 'phone',
    answers: { '**/api/auth/email-change': 'never' },
    sees: 'Changing your email address...',
  },
  {
    name: 'email-changed',
    path: '/auth/email-change?token=any',
    as: 'beginner',
    answers: { '**/api/auth/email-change': { json: { ok: true } } },
    does: keepToast,
    sees: /^Your email address is changed/,
  },
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

async function logIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('nobody@example.com')
  await page.getByLabel(/^Password/).fill('not the password')
  await press('Log in')(page)
}
