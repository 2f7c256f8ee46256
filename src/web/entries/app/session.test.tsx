// @vitest-environment happy-dom

import { screen, waitFor, within } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { readPageState } from '#web/shared/next-document.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { CALENDAR_ID, makeOwner, makeProfile, makeSubscription } from '#web/testing/make-records.ts'
import {
  CALENDARS_REQUEST,
  LOGGED_IN_RESPONSE,
  LOGGED_OUT_RESPONSE,
  logIn,
  SESSION_REQUEST,
  signOutOnServer,
} from '#web/testing/server-answers.ts'
import { findSettingsLink } from '#web/testing/settings-links.ts'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { renderApp } from './testing/render-app.tsx'

const SETTINGS = `/calendar/${CALENDAR_ID}/settings`

beforeEach(() => {
  vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

describe('guests', () => {
  test('who want the dashboard log in first and are then shown it', async () => {
    const api = stubApi(LOGGED_OUT_RESPONSE)
    const { user, router } = renderApp('/dashboard')
    await logIn(user, api)
    expect(await screen.findByRole('heading', { name: 'Welcome, Meredith' })).toBeDefined()
    expect(router.state.location.pathname).toBe('/dashboard')
    expect(localStorage.getItem('isLoggedIn')).toBe('true')
  })

  test('who want to manage a calendar are told why they log in, and come back to the same tab', async () => {
    const api = stubApi(LOGGED_OUT_RESPONSE)
    const { user, router } = renderApp(`${SETTINGS}?tab=types`)
    expect(await screen.findByText(PROBLEMS['auth.required'].title)).toBeDefined()
    await logIn(user, api)
    expect(await screen.findByText('45 min')).toBeDefined()
    expect(router.state.location.href).toBe(`${SETTINGS}?tab=types`)
  })

  test('are never sent to another site after the login', async () => {
    const api = stubApi(LOGGED_OUT_RESPONSE)
    const { user, router } = renderApp('/login?redirect=//evil.example/')
    await logIn(user, api)
    await screen.findByRole('heading', { name: 'Welcome, Meredith' })
    expect(router.state.location.href).toBe('/dashboard')
  })

  test('come to a page of another document, too, when nobody could say before who they are', async () => {
    const leave = vi.spyOn(location, 'replace').mockReturnValue()
    const api = stubApi({ ...LOGGED_OUT_RESPONSE, [SESSION_REQUEST]: errorResponse('server.unavailable') })
    const { user } = renderApp('/login?redirect=/pricing')
    await screen.findByLabelText(/^Email/, {}, { timeout: 10_000 })
    await logIn(user, api)
    await waitFor(() => expect(leave).toHaveBeenCalledWith('/pricing'))
  })
})

describe('a session that ends in the middle', () => {
  test('leads to the login and back to the same page', async () => {
    const api = stubApi(LOGGED_IN_RESPONSE)
    const { user, router } = renderApp(SETTINGS)
    await user.click(await findSettingsLink('Appointments'))
    await screen.findByText('No appointments found')
    signOutOnServer(api)
    await user.click(await findSettingsLink('Appointment Types'))
    expect(await screen.findByText(PROBLEMS['auth.required'].title)).toBeDefined()
    await logIn(user, api)
    expect(await screen.findByText('45 min')).toBeDefined()
    expect(router.state.location.href).toBe(`${SETTINGS}?tab=types`)
  })

  test('the login says why, in the words of what was pressed', async () => {
    const api = stubApi({ ...LOGGED_IN_RESPONSE, 'GET /api/profile': makeProfile() })
    const { user } = renderApp('/profile?tab=subscription')
    const refresh = await screen.findByRole('button', { name: 'Refresh' })
    signOutOnServer(api)
    api.answer('POST /api/subscription/refresh', errorResponse('auth.required'))
    await user.click(refresh)
    expect(await screen.findByLabelText(/^Password/)).toBeDefined()
    expect(screen.getByText('Please log in to refresh subscription status')).toBeDefined()
  })

  test('a calendar that was being created is still there afterwards', async () => {
    const subscription = makeSubscription({ limits: { calendars: 5, integrations: [], features: [] } })
    const answers = { ...LOGGED_IN_RESPONSE, 'GET /api/subscription': subscription }
    const api = stubApi(answers)
    const { user } = renderApp('/dashboard')
    await user.click(await screen.findByRole('button', { name: 'Create Calendar' }))
    const dialog = within(await screen.findByRole('dialog'))
    await enterText(user, dialog.getByLabelText(/^Name/), 'Half written')
    signOutOnServer(api)
    await user.click(dialog.getByRole('button', { name: 'Create Calendar' }))
    const sentence = 'Failed to create calendar: You must be logged in to create a calendar'
    expect(await screen.findByText(sentence)).toBeDefined()
    await logIn(user, api, answers)
    const again = within(await screen.findByRole('dialog', { name: 'Create Calendar' }))
    expect(again.getByLabelText(/^Name/)).toHaveProperty('value', 'Half written')
  })

  test('an appointment type that was being edited is still there afterwards', async () => {
    const api = stubApi(LOGGED_IN_RESPONSE)
    const { user } = renderApp(`${SETTINGS}?tab=types`)
    await user.click(await screen.findByRole('button', { name: 'Edit First consultation' }))
    const dialog = within(await screen.findByRole('dialog'))
    await enterText(user, dialog.getByLabelText(/^Name/), ' and more')
    signOutOnServer(api)
    await user.click(dialog.getByRole('button', { name: 'Update' }))
    await logIn(user, api)
    const again = within(await screen.findByRole('dialog', { name: 'Edit Appointment Type' }))
    expect(again.getByLabelText(/^Name/)).toHaveProperty('value', 'First consultation and more')
  })

  test.each([
    ['', 'First name', 'Save details', 'Meredith'],
    ['?tab=reminders', 'Subject', 'Save reminder settings', 'Reminder: Your upcoming appointment'],
  ])(
    'settings that were being edited at %j are still there afterwards',
    async (search, label, button, shown) => {
      const api = stubApi(LOGGED_IN_RESPONSE)
      const { user, router } = renderApp(`${SETTINGS}${search}`)
      await enterText(user, await screen.findByLabelText(label), ' and more')
      signOutOnServer(api)
      await user.click(screen.getByRole('button', { name: button }))
      await logIn(user, api)
      expect(await screen.findByLabelText(label)).toHaveProperty('value', `${shown} and more`)
      expect(router.state.location.href).toBe(`${SETTINGS}${search}`)
    },
  )

  test('a time zone that was being changed is still chosen afterwards', async () => {
    const api = stubApi(LOGGED_IN_RESPONSE)
    const { user } = renderApp(SETTINGS)
    const zone = await screen.findByRole<HTMLInputElement>('combobox', { name: 'Time zone' })
    zone.focus()
    zone.select()
    await user.paste('tokyo')
    await user.click(await screen.findByRole('option', { name: 'Tokyo (Asia/Tokyo)' }))
    await user.click(screen.getByRole('button', { name: 'Update time zone' }))
    const question = within(await screen.findByRole('alertdialog'))
    signOutOnServer(api)
    await user.click(question.getByRole('button', { name: 'Update time zone' }))
    await logIn(user, api)
    expect(await screen.findByRole('combobox', { name: 'Time zone' })).toHaveProperty(
      'value',
      'Tokyo (Asia/Tokyo)',
    )
  })

  test('who has forgotten the password by then comes to the page that sends a link, with their address', async () => {
    const assign = vi.spyOn(location, 'assign').mockReturnValue()
    const api = stubApi(LOGGED_IN_RESPONSE)
    const { user } = renderApp('/dashboard')
    await screen.findByRole('heading', { name: 'Welcome, Meredith' })
    signOutOnServer(api)
    window.dispatchEvent(new StorageEvent('storage', { key: 'isLoggedIn', newValue: null }))
    await enterText(user, await screen.findByLabelText(/^Email/), 'ada@example.org')
    expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe(
      '/register?redirect=%2Fdashboard',
    )
    await user.click(screen.getByRole('link', { name: 'Forgot password?' }))
    expect(assign.mock.calls).toEqual([['/forgot-password']])
    expect(readPageState()).toEqual({ email: 'ada@example.org' })
  })

  test('signed out in another tab, a protected page is left', async () => {
    const api = stubApi(LOGGED_IN_RESPONSE)
    renderApp('/dashboard')
    await screen.findByRole('heading', { name: 'Welcome, Meredith' })
    signOutOnServer(api)
    window.dispatchEvent(new StorageEvent('storage', { key: 'isLoggedIn', newValue: null }))
    expect(await screen.findByRole('heading', { name: 'Welcome back' })).toBeDefined()
  })

  test('somebody else who logs in then sees nothing of the one before', async () => {
    const api = stubApi(LOGGED_IN_RESPONSE)
    const { user } = renderApp('/dashboard')
    await screen.findByRole('article', { name: 'Dr. Grey' })
    signOutOnServer(api)
    window.dispatchEvent(new StorageEvent('storage', { key: null }))
    await screen.findByRole('heading', { name: 'Welcome back' })
    const cristina = makeOwner({ id: '00000000-0000-4000-8000-000000000002', first_name: 'Cristina' })
    await logIn(user, api, {
      ...LOGGED_IN_RESPONSE,
      [SESSION_REQUEST]: { user: cristina },
      [CALENDARS_REQUEST]: { calendars: [] },
    })
    expect(await screen.findByRole('heading', { name: 'Welcome, Cristina' })).toBeDefined()
    expect(await screen.findByText("You haven't created any calendars yet.")).toBeDefined()
    expect(screen.queryByText('Dr. Grey')).toBeNull()
  })
})

test('signing out ends the session and removes the flag; a failure says so and stays', async () => {
  const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined)
  const api = stubApi({
    ...LOGGED_IN_RESPONSE,
    'POST /api/auth/sign-out': errorResponse('server.unavailable'),
  })
  const { user } = renderApp('/dashboard')
  await screen.findByRole('heading', { name: 'Welcome, Meredith' })
  await user.click(screen.getByRole('button', { name: 'Sign Out' }))
  expect(await screen.findByText(/^The service is currently unavailable/)).toBeDefined()
  expect(assign).not.toHaveBeenCalled()
  api.answer('POST /api/auth/sign-out', { ok: true })
  await user.click(screen.getByRole('button', { name: 'Sign Out' }))
  await waitFor(() => expect(assign).toHaveBeenCalledWith('/'))
  expect(localStorage.getItem('isLoggedIn')).toBeNull()
})

test('a server that cannot say who is signed in is a page that can be tried again', async () => {
  // React and the router log the error, too.
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  const api = stubApi({ ...LOGGED_IN_RESPONSE, [SESSION_REQUEST]: errorResponse('server.unavailable') })
  const { user } = renderApp('/dashboard')
  expect(
    await screen.findByText(/^The service is currently unavailable/, {}, { timeout: 10_000 }),
  ).toBeDefined()
  api.answer(SESSION_REQUEST, { user: makeOwner() })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('heading', { name: 'Welcome, Meredith' })).toBeDefined()
})
