import { expect, test } from 'vitest'
import { isOwnerPage, isOwnerPagePath, isPathOfAppRouter } from './app-paths.ts'

test.each([
  '/dashboard',
  '/today',
  '/appointments',
  '/customers',
  '/insights',
  '/profile/',
  '/setup',
  '/stripe-connect-callback',
  '/paypal-connect-callback',
  '/calendar/1',
  '/calendar/1/settings',
  '/calendar/1/nowhere',
])('%s is a page of this entry', (path) => {
  expect(isOwnerPagePath(path)).toBe(true)
})

test.each([
  '/',
  '/pricing',
  '/book/dr-grey',
  '/cancel/1',
  '/api/calendars',
  '/sandbox/ui',
  '/sandbox/mail',
  '/dashboards',
  '/login',
  '/register/',
  '/forgot-password',
  '/reset-password',
  '/auth/callback',
  '/loginx',
])('%s is another document', (path) => {
  expect(isOwnerPagePath(path)).toBe(false)
})

test('the owner’s pages have the frame, and the login and unknown pages have the header of the site', () => {
  for (const path of [
    '/today',
    '/appointments',
    '/calendar/1/settings',
    '/calendar/1/customers/2',
    '/profile/',
  ]) {
    expect(isOwnerPage(path)).toBe(true)
  }
  for (const path of ['/login', '/dashboard/nothing', '/calendar/1/nowhere', '/'])
    expect(isOwnerPage(path)).toBe(false)
})

test('the router shows the login of an owner whose session has ended, too, and nothing else of another document', () => {
  expect(isPathOfAppRouter('/login')).toBe(true)
  expect(isPathOfAppRouter('/dashboard')).toBe(true)
  expect(isPathOfAppRouter('/register')).toBe(false)
  expect(isPathOfAppRouter('/pricing')).toBe(false)
})
