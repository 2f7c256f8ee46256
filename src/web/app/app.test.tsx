// @vitest-environment happy-dom
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { forgetDraft } from './kit/draft.ts'
import {
  CALENDAR_ID,
  makeAppointmentType,
  makeCalendar,
  makeOwner,
  makeSubscription,
  OWNER_ID,
} from './testing/make-records.ts'
import { renderApp } from './testing/render-page.tsx'
import { refuse, stubApi } from './testing/stub-api.ts'

const SESSION = 'GET /api/auth/session'
const SIGN_IN = 'POST /api/auth/sign-in'
const CALENDARS = 'GET /api/calendars'
const CALENDAR = `GET /api/calendars/${CALENDAR_ID}`
const SETTINGS = `/calendar/${CALENDAR_ID}/settings`

const NOBODY = { [SESSION]: { user: null } }
const SOMEBODY = {
  [SESSION]: { user: makeOwner() },
  [CALENDARS]: { calendars: [makeCalendar()] },
  [CALENDAR]: makeCalendar(),
  [`${CALENDAR}/appointments`]: { appointments: [], total: 0, page: 1, page_size: 10 },
  [`${CALENDAR}/appointment-types`]: { appointment_types: [makeAppointmentType()] },
  'GET /api/appointments/upcoming': { appointments: [], total: 0 },
  'GET /api/subscription': makeSubscription(),
}

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('guests', () => {
  test('who want the dashboard log in first and are then shown it', async () => {
    const api = stubApi(NOBODY)
    const { user, router } = renderApp('/dashboard')
    await logIn(user, api)
    expect(await screen.findByRole('heading', { name: 'Welcome, Meredith' })).toBeDefined()
    expect(router.state.location.pathname).toBe('/dashboard')
    expect(localStorage.getItem('isLoggedIn')).toBe('true')
  })

  test('who want to manage a calendar are told why they log in, and come back to the same tab', async () => {
    const api = stubApi(NOBODY)
    const { user, router } = renderApp(`${SETTINGS}?tab=types`)
    expect(await screen.findByText('Please log in to manage your calendars')).toBeDefined()
    await logIn(user, api)
    expect(await screen.findByText('45 min')).toBeDefined()
    expect(router.state.location.href).toBe(`${SETTINGS}?tab=types`)
  })

  test('are never sent to another site after the login', async () => {
    const api = stubApi(NOBODY)
    const { user, router } = renderApp('/login?redirect=//evil.example/')
    await logIn(user, api)
    await screen.findByRole('heading', { name: 'Welcome, Meredith' })
    expect(router.state.location.href).toBe('/dashboard')
  })

  test('keep where they wanted to go when they sign up first', async () => {
    stubApi(NOBODY)
    const { user, router } = renderApp(`/login?redirect=${encodeURIComponent(SETTINGS)}`)
    await user.click(await screen.findByRole('link', { name: 'Sign up' }))
    await screen.findByRole('heading', { name: 'Create your account' })
    expect(router.state.location.href).toBe(`/register?redirect=${encodeURIComponent(SETTINGS)}`)
  })

  test('who forgot their password come to the page that sends the link, with their address', async () => {
    stubApi(NOBODY)
    const { user } = renderApp('/login')
    await user.type(await screen.findByLabelText(/^Email/), 'ada@example.org')
    await user.click(screen.getByRole('link', { name: 'Forgot password?' }))
    expect(await screen.findByRole('button', { name: 'Send link' })).toBeDefined()
    expect(screen.getByLabelText(/^Email/)).toHaveProperty('value', 'ada@example.org')
  })

  test('may look at the mailbox', async () => {
    stubApi({ ...NOBODY, 'GET /api/sandbox/mails': { mails: [] } })
    renderApp('/sandbox/mail')
    expect(await screen.findByText('No mails yet')).toBeDefined()
  })
})

test.each(['/login', '/register'])('whoever is signed in is sent on from %s', async (path) => {
  stubApi(SOMEBODY)
  const { router } = renderApp(path)
  await screen.findByRole('heading', { name: 'Welcome, Meredith' })
  expect(router.state.location.pathname).toBe('/dashboard')
})

test('the link of the confirmation mail leads to the dashboard, signed in', async () => {
  const api = stubApi({ ...SOMEBODY, ...NOBODY, 'POST /api/auth/email-verification': { user: makeOwner() } })
  renderApp('/auth/callback?token=123')
  expect(await screen.findByRole('heading', { name: 'Welcome, Meredith' })).toBeDefined()
  expect(api.to('POST /api/auth/email-verification').map(({ body }) => body)).toEqual([{ token: '123' }])
})

test('after a new password one logs in', async () => {
  stubApi({ ...NOBODY, 'POST /api/auth/password-reset': { ok: true } })
  const { user } = renderApp('/reset-password?token=1e5')
  await user.type(await screen.findByLabelText(/^New Password/), 'password123')
  await user.type(screen.getByLabelText(/^Confirm Password/), 'password123')
  await user.click(screen.getByRole('button', { name: 'Save new password' }))
  expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeDefined()
})

describe('a session that ends in the middle', () => {
  test('leads to the login and back to the same page', async () => {
    const api = stubApi(SOMEBODY)
    const { user, router } = renderApp(SETTINGS)
    await user.click(await screen.findByRole('tab', { name: 'Appointments' }))
    await screen.findByText('No appointments found')
    signOutOnServer(api)
    await user.click(screen.getByRole('tab', { name: 'Appointment Types' }))
    expect(await screen.findByText('Please log in to manage your calendars')).toBeDefined()
    await logIn(user, api)
    expect(await screen.findByText('45 min')).toBeDefined()
    expect(router.state.location.href).toBe(`${SETTINGS}?tab=types`)
  })

  test('a calendar that was being created is still there afterwards', async () => {
    const api = stubApi(SOMEBODY)
    const { user } = renderApp('/dashboard')
    await user.click(await screen.findByRole('button', { name: 'Create Calendar' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText(/^Name/), 'Half written')
    signOutOnServer(api)
    await user.click(dialog.getByRole('button', { name: 'Create Calendar' }))
    const sentence = 'Failed to create calendar: You must be logged in to create a calendar'
    expect(await screen.findByText(sentence)).toBeDefined()
    await logIn(user, api)
    const again = within(await screen.findByRole('dialog', { name: 'Create Calendar' }))
    expect(again.getByLabelText(/^Name/)).toHaveProperty('value', 'Half written')
    forgetDraft(`create-calendar:${OWNER_ID}`)
  })

  test('an appointment type that was being edited is still there afterwards', async () => {
    const api = stubApi(SOMEBODY)
    const { user } = renderApp(`${SETTINGS}?tab=types`)
    await user.click(await screen.findByRole('button', { name: 'Edit First consultation' }))
    const dialog = within(await screen.findByRole('dialog'))
    await user.type(dialog.getByLabelText(/^Name/), ' and more')
    signOutOnServer(api)
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    await logIn(user, api)
    const again = within(await screen.findByRole('dialog', { name: 'Edit Appointment Type' }))
    expect(again.getByLabelText(/^Name/)).toHaveProperty('value', 'First consultation and more')
    forgetDraft(`appointment-type:${CALENDAR_ID}`)
  })

  test('signed out in another tab, a protected page is left', async () => {
    const api = stubApi(SOMEBODY)
    renderApp('/dashboard')
    await screen.findByRole('heading', { name: 'Welcome, Meredith' })
    signOutOnServer(api)
    window.dispatchEvent(new StorageEvent('storage', { key: 'isLoggedIn', newValue: null }))
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeDefined()
  })

  test('somebody else who logs in then sees nothing of the one before', async () => {
    const api = stubApi(SOMEBODY)
    const { user } = renderApp('/dashboard')
    await screen.findByRole('article', { name: 'Dr. Grey' })
    signOutOnServer(api)
    window.dispatchEvent(new StorageEvent('storage', { key: null }))
    await screen.findByRole('heading', { name: 'Welcome back' })
    const cristina = makeOwner({ id: '00000000-0000-4000-8000-000000000002', first_name: 'Cristina' })
    await logIn(user, api, { ...SOMEBODY, [SESSION]: { user: cristina }, [CALENDARS]: { calendars: [] } })
    expect(await screen.findByRole('heading', { name: 'Welcome, Cristina' })).toBeDefined()
    expect(await screen.findByText("You haven't created any calendars yet.")).toBeDefined()
    expect(screen.queryByText('Dr. Grey')).toBeNull()
  })
})

describe('the dashboard', () => {
  test('owners without a subscription are offered more', async () => {
    stubApi(SOMEBODY)
    renderApp('/dashboard')
    expect(await screen.findByText('You are on the Free plan')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Upgrade Plan' }).getAttribute('href')).toBe('/pricing')
  })

  test('subscribed owners are not', async () => {
    const limits = { calendars: 1, integrations: [], features: [] }
    const subscription = makeSubscription({ subscribed: true, subscription_tier: 'Professional', limits })
    stubApi({ ...SOMEBODY, 'GET /api/subscription': subscription })
    const { user } = renderApp('/dashboard')
    await user.click(await screen.findByRole('button', { name: 'Create Calendar' }))
    // The limit is known, so the plan has been read.
    await screen.findByText(/^You have reached your calendar limit/)
    expect(screen.queryByText('You are on the Free plan')).toBeNull()
  })

  test('back from the checkout it says so, asks for the subscription again, and forgets the parameter', async () => {
    const api = stubApi(SOMEBODY)
    const { router } = renderApp('/dashboard?subscription=success')
    expect(await screen.findByText('Your subscription is active. Thank you!')).toBeDefined()
    await waitFor(() => expect(router.state.location.href).toBe('/dashboard'))
    expect(api.to('GET /api/subscription').length).toBeGreaterThan(1)
  })

  test('back from the external calendar it says so and forgets the parameter', async () => {
    stubApi(SOMEBODY)
    const { router } = renderApp('/dashboard?google_connected=success')
    expect(await screen.findByText('Connected to Google Calendar')).toBeDefined()
    await waitFor(() => expect(router.state.location.href).toBe('/dashboard'))
  })

  test('a click on Manage opens the settings without loading another document', async () => {
    stubApi(SOMEBODY)
    const { user, router } = renderApp('/dashboard')
    await user.click(await screen.findByRole('link', { name: 'Manage' }))
    expect(await screen.findByRole('heading', { name: 'Dr. Grey' })).toBeDefined()
    expect(router.state.location.pathname).toBe(SETTINGS)
  })
})

describe('calendar settings', () => {
  test('the short address leads to them', async () => {
    stubApi(SOMEBODY)
    const { router } = renderApp(`/calendar/${CALENDAR_ID}`)
    await screen.findByRole('heading', { name: 'Dr. Grey' })
    expect(router.state.location.href).toBe(SETTINGS)
    expect(document.title).toBe('Dr. Grey · Meridian')
  })

  test.each([
    ['', 'General'],
    ['?tab=general', 'General'],
    ['?tab=appointments', 'Appointments'],
    ['?tab=types', 'Appointment Types'],
    ['?tab=nonsense', 'General'],
  ])('the address %s shows the tab %s', async (search, label) => {
    stubApi(SOMEBODY)
    renderApp(`${SETTINGS}${search}`)
    expect(await screen.findByRole('tab', { name: label, selected: true })).toBeDefined()
  })

  test('the tab is in the address, and the browser’s back button goes back to the one before', async () => {
    stubApi(SOMEBODY)
    const { user, router } = renderApp(SETTINGS)
    await user.click(await screen.findByRole('tab', { name: 'Appointment Types' }))
    await screen.findByText('45 min')
    expect(router.state.location.href).toBe(`${SETTINGS}?tab=types`)
    router.history.back()
    expect(await screen.findByText('Danger Zone')).toBeDefined()
  })

  test('a calendar that does not exist', async () => {
    stubApi({ ...SOMEBODY, [CALENDAR]: refuse('calendar.not_found') })
    renderApp(SETTINGS)
    expect(await screen.findByText('Calendar not found')).toBeDefined()
    expect(screen.getByRole('link', { name: 'Return to Dashboard' }).getAttribute('href')).toBe('/dashboard')
  })

  test('an address that is no id is a calendar that does not exist', async () => {
    stubApi({ ...SOMEBODY, 'GET /api/calendars/nonsense': refuse('request.invalid') })
    renderApp('/calendar/nonsense/settings')
    expect(await screen.findByText('Calendar not found')).toBeDefined()
  })

  test('a calendar of somebody else', async () => {
    stubApi({ ...SOMEBODY, [CALENDAR]: refuse('calendar.forbidden') })
    const { user } = renderApp(SETTINGS)
    expect(
      await screen.findByText("You don't have permission to edit this calendar's availability."),
    ).toBeDefined()
    await user.click(screen.getByRole('link', { name: 'Return to Dashboard' }))
    expect(await screen.findByRole('heading', { name: 'Welcome, Meredith' })).toBeDefined()
  })

  test('a server in trouble is asked once more, then it says so and can be asked again', async () => {
    const api = stubApi({ ...SOMEBODY, [CALENDAR]: refuse('server.unexpected') })
    const { user } = renderApp(SETTINGS)
    expect(await screen.findByText('Error loading calendar', {}, { timeout: 5_000 })).toBeDefined()
    expect(screen.getByText('Something went wrong. Please try again.')).toBeDefined()
    api.answer(CALENDAR, makeCalendar())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: 'Dr. Grey' })).toBeDefined()
  })

  test('deleted from here, the calendar is gone from the dashboard', async () => {
    const api = stubApi({ ...SOMEBODY, [`DELETE /api/calendars/${CALENDAR_ID}`]: undefined })
    const { user, router } = renderApp(SETTINGS)
    await user.click(await screen.findByRole('button', { name: 'Delete Calendar' }))
    api.answer(CALENDARS, { calendars: [] })
    const question = within(await screen.findByRole('alertdialog'))
    await user.click(question.getByRole('button', { name: 'Delete Calendar' }))
    expect(await screen.findByText('Calendar deleted successfully')).toBeDefined()
    expect(await screen.findByText("You haven't created any calendars yet.")).toBeDefined()
    expect(router.state.location.pathname).toBe('/dashboard')
  })
})

test('signing out ends the session and removes the flag; a failure says so and stays', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
  const api = stubApi({ ...SOMEBODY, 'POST /api/auth/sign-out': refuse('server.unavailable') })
  const { user } = renderApp('/dashboard')
  await screen.findByRole('heading', { name: 'Welcome, Meredith' })
  await user.click(screen.getByRole('button', { name: 'Sign Out' }))
  expect(await screen.findByText(/^The service is not available/)).toBeDefined()
  expect(assign).not.toHaveBeenCalled()
  api.answer('POST /api/auth/sign-out', { ok: true })
  await user.click(screen.getByRole('button', { name: 'Sign Out' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/'))
  expect(localStorage.getItem('isLoggedIn')).toBeNull()
})

test('a server that cannot say who is signed in is a page that can be tried again', async () => {
  // React and the router tell of the error, too.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const api = stubApi({ ...SOMEBODY, [SESSION]: refuse('server.unavailable') })
  const { user } = renderApp('/dashboard')
  expect(await screen.findByText(/^The service is not available/, {}, { timeout: 5_000 })).toBeDefined()
  api.answer(SESSION, { user: makeOwner() })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'Welcome, Meredith' })).toBeDefined()
})

test('any other path is a page that says so, with the path and a way home', async () => {
  stubApi(NOBODY)
  renderApp('/calendar/1/nowhere/at-all')
  expect(await screen.findByRole('heading', { name: 'Page Not Found' })).toBeDefined()
  expect(screen.getByText('/calendar/1/nowhere/at-all')).toBeDefined()
  expect(document.title).toBe('Page Not Found · Meridian')
  expect(screen.getByRole('link', { name: 'Go Home' }).getAttribute('href')).toBe('/')
})

type Api = ReturnType<typeof stubApi>

/** From now on the server says what it says to guests. */
function signOutOnServer(api: Api) {
  for (const key of Object.keys(SOMEBODY)) api.answer(key, refuse('auth.required'))
  api.answer('POST /api/calendars', refuse('auth.required'))
  api.answer(
    `PATCH /api/calendars/${CALENDAR_ID}/appointment-types/${makeAppointmentType().id}`,
    refuse('auth.required'),
  )
  api.answer(SESSION, { user: null })
}

async function logIn(
  user: ReturnType<typeof renderApp>['user'],
  api: Api,
  answers: Record<string, unknown> = SOMEBODY,
) {
  await user.type(await screen.findByLabelText(/^Email/), 'meredith@example.org')
  await user.type(screen.getByLabelText(/^Password/), 'password123')
  for (const [key, answer] of Object.entries(answers)) api.answer(key, answer)
  api.answer(SIGN_IN, answers[SESSION])
  await user.click(screen.getByRole('button', { name: 'Log in' }))
}
