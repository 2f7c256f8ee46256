import { expect, test } from 'vitest'
import { paths } from './paths.ts'

test('every page has its path', () => {
  expect({
    home: paths.home(),
    farewell: paths.farewell(),
    pricing: paths.pricing(),
    login: paths.login(),
    register: paths.register(),
    forgotPassword: paths.forgotPassword(),
    resetPassword: paths.resetPassword('t+1'),
    authCallback: paths.authCallback('t+1'),
    emailChange: paths.emailChange('t+1'),
    dashboard: paths.dashboard(),
    today: paths.today(),
    profile: paths.profile('security'),
    calendar: paths.calendar('c1'),
    calendarSettings: paths.calendarSettings('c1', 'types'),
    customer: paths.customer('c1', 'u1'),
    book: paths.book('dr-grey'),
    bookConfirmation: paths.bookConfirmation('dr-grey', 'a1'),
    confirmation: paths.confirmation('a1'),
    cancel: paths.cancel('a1'),
    manage: paths.manage('t-1'),
    waiting: paths.waiting('t-1'),
    paymentSuccess: paths.paymentSuccess('a1'),
    sample: paths.sample(),
    sandboxMail: paths.sandboxMail(),
  }).toEqual({
    home: '/',
    farewell: '/?account=deleted',
    pricing: '/pricing',
    login: '/login',
    register: '/register',
    forgotPassword: '/forgot-password',
    resetPassword: '/reset-password?token=t%2B1',
    authCallback: '/auth/callback?token=t%2B1',
    emailChange: '/auth/email-change?token=t%2B1',
    dashboard: '/dashboard',
    today: '/today',
    profile: '/profile?tab=security',
    calendar: '/calendar/c1',
    calendarSettings: '/calendar/c1/settings?tab=types',
    customer: '/calendar/c1/customers/u1',
    book: '/book/dr-grey',
    bookConfirmation: '/book/dr-grey/confirmation?appointment_id=a1',
    confirmation: '/confirmation?appointment_id=a1',
    cancel: '/cancel/a1',
    manage: '/manage/t-1',
    waiting: '/waiting/t-1',
    paymentSuccess: '/payment-success?appointment_id=a1',
    sample: '/#sample',
    sandboxMail: '/sandbox/mail',
  } satisfies Record<keyof typeof paths, string>)
})

test('the settings without a tab have no query', () => {
  expect(paths.calendarSettings('c1')).toBe('/calendar/c1/settings')
})

test('the appointments of a calendar open on a day', () => {
  expect(paths.calendarSettings('c1', 'appointments', { appointment: 'a1' })).toBe(
    '/calendar/c1/settings?tab=appointments&appointment=a1',
  )
  expect(paths.calendarSettings('c1', 'appointments', { view: 'day', date: '2027-01-05' })).toBe(
    '/calendar/c1/settings?tab=appointments&view=day&date=2027-01-05',
  )
})

test('the plan that somebody wants goes along', () => {
  expect(paths.pricing('business')).toBe('/pricing?plan=business')
  expect(paths.profile('subscription', 'free')).toBe('/profile?tab=subscription&plan=free')
})

test('what a person typed cannot leave its place in the path', () => {
  expect(paths.book('../login?x=1')).toBe('/book/..%2Flogin%3Fx%3D1')
})
