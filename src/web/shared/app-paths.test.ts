import { expect, test } from 'vitest'
import { isAppPath } from './app-paths.ts'

test.each([
  '/login',
  '/register/',
  '/forgot-password',
  '/reset-password',
  '/auth/callback',
  '/dashboard',
  '/stripe-connect-callback',
  '/paypal-connect-callback',
  '/calendar/1',
  '/calendar/1/settings',
  '/calendar/1/nowhere',
  '/sandbox/mail',
  '/sandbox/mail/gallery',
])('%s is a page of this entry', (path) => {
  expect(isAppPath(path)).toBe(true)
})

test.each([
  '/',
  '/pricing',
  '/book/dr-grey',
  '/cancel/1',
  '/api/calendars',
  '/sandbox/ui',
  '/dashboards',
  '/loginx',
])('%s is another document', (path) => {
  expect(isAppPath(path)).toBe(false)
})
