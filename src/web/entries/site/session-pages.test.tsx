// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { StrictMode } from 'react'
import { afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { LOGIN_AND_REGISTRATION_PAGES, toDocumentTitle } from '#contract/pages/app-pages.ts'
import type { SitePageData } from '#contract/pages/page-data.ts'
import { makeSitePageData } from '#tests/support/make-site.ts'
import { readPageState } from '#web/shared/next-document.ts'
import { enterText } from '#web/testing/enter-text.ts'
import {
  LOGGED_IN_RESPONSE,
  LOGGED_OUT_RESPONSE,
  logIn,
  SESSION_REQUEST,
} from '#web/testing/server-answers.ts'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { loadPage } from './shown-page.ts'
import { SiteApp } from './site-app.tsx'

const SETTINGS = '/calendar/1/settings'

/** The URLs to which the page sends the browser. The test environment has no Navigation API, so each page is a new document. */
let replace: MockInstance<(url: string | URL) => void>
let assign: MockInstance<(url: string | URL) => void>
let log: MockInstance

beforeEach(() => {
  replace = vi.spyOn(location, 'replace').mockReturnValue()
  assign = vi.spyOn(location, 'assign').mockReturnValue()
  log = vi.spyOn(console, 'info').mockReturnValue()
})
afterEach(() => {
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', '/')
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('whoever logs in', () => {
  test('is led to the dashboard, which is another document, and told so there', async () => {
    const api = stubApi(LOGGED_OUT_RESPONSE)
    const user = await open('/login')
    await logIn(user, api)
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/dashboard'))
    const { value } = JSON.parse(sessionStorage.getItem('carried-toast') ?? '')
    expect(value).toEqual({ tone: 'success', text: 'Successfully logged in!' })
    expect(localStorage.getItem('isLoggedIn')).toBe('true')
    expect(events()).toEqual(['INITIAL_SESSION', 'SIGNED_IN'])
    // The form stays visible until the next document has loaded.
    expect(screen.getByLabelText(/^Email/)).toBeDefined()
  })

  test('is led to the page they wanted', async () => {
    const api = stubApi(LOGGED_OUT_RESPONSE)
    const user = await open(`/login?redirect=${encodeURIComponent(`${SETTINGS}?tab=types`)}`)
    await logIn(user, api)
    await waitFor(() => expect(replace).toHaveBeenCalledWith(`${SETTINGS}?tab=types`))
  })

  test('is never sent to another site', async () => {
    const api = stubApi(LOGGED_OUT_RESPONSE)
    const user = await open('/login?redirect=//evil.example/')
    await logIn(user, api)
    await waitFor(() => expect(replace).toHaveBeenCalled())
    expect(new Set(replace.mock.calls.flat())).toEqual(new Set(['/dashboard']))
  })

  test.each([false, true])(
    'can do so when nobody could say before who they are (had logged in here before: %s)',
    async (hadLoggedIn) => {
      if (hadLoggedIn) localStorage.setItem('isLoggedIn', 'true')
      const api = stubApi({ [SESSION_REQUEST]: errorResponse('server.unavailable') })
      const user = await open('/login?redirect=/pricing')
      await logIn(user, api)
      await waitFor(() => expect(replace).toHaveBeenCalledWith('/pricing'))
    },
  )

  test('has the files of the dashboard fetched meanwhile, once the page is painted', async () => {
    vi.stubGlobal('requestIdleCallback', undefined)
    const page = '<script src="/assets/app-1.js"></script><link href="/assets/app-2.css"><a href="/x">'
    const api = stubApi({ ...LOGGED_OUT_RESPONSE, 'GET /dashboard': new Response(page) })
    await open('/login')
    expect(api.to('GET /dashboard')).toEqual([])
    await waitFor(() => expect(api.to('GET /assets/app-2.css')).toHaveLength(1), { timeout: 10_000 })
    expect(api.to('GET /assets/app-1.js')).toHaveLength(1)
    expect(api.to('GET /x')).toEqual([])
  })
})

describe('whoever is signed in', () => {
  test.each(['/login', '/register'])('is sent on from %s, and sees no form', async (path) => {
    stubApi(LOGGED_IN_RESPONSE)
    await open(path)
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/dashboard'))
    expect(screen.queryByRole('textbox')).toBeNull()
  })

  test('in another tab is sent on from here', async () => {
    const api = stubApi(LOGGED_OUT_RESPONSE)
    await open('/login')
    await screen.findByLabelText(/^Email/)
    api.answer(SESSION_REQUEST, LOGGED_IN_RESPONSE[SESSION_REQUEST])
    window.dispatchEvent(new StorageEvent('storage', { key: 'isLoggedIn', newValue: 'true' }))
    await waitFor(() => expect(replace).toHaveBeenCalledWith('/dashboard'))
  })
})

test('nobody sees a form before it is known whether they need it; when that takes long, the page says so', async () => {
  const held = heldResponse({ user: null })
  stubApi({ [SESSION_REQUEST]: held.answer })
  await open('/login')
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.queryByText('Loading...')).toBeNull()
  expect(await screen.findByText('Loading...')).toBeDefined()
  held.release()
  expect(await screen.findByLabelText(/^Email/)).toBeDefined()
  expect(screen.queryByText('Loading...')).toBeNull()
})

describe('new accounts', () => {
  test('keep where they wanted to go when they sign up first', async () => {
    stubApi(LOGGED_OUT_RESPONSE)
    await open(`/login?redirect=${encodeURIComponent(SETTINGS)}`)
    const link = await screen.findByRole('link', { name: 'Sign up' })
    expect(link.getAttribute('href')).toBe(`/register?redirect=${encodeURIComponent(SETTINGS)}`)
  })

  test('come to the login, which says what is left to do and knows their address', async () => {
    stubApi({ ...LOGGED_OUT_RESPONSE, 'POST /api/auth/sign-up': { ok: true } })
    const user = await open(`/register?redirect=${encodeURIComponent(SETTINGS)}`)
    await enterText(user, await screen.findByLabelText(/^Full Name/), 'Ada Lovelace')
    await enterText(user, screen.getByLabelText(/^Email/), 'ada@example.org')
    await enterText(user, screen.getByLabelText(/^Password/), 'password123')
    await enterText(user, screen.getByLabelText(/^Confirm password/), 'password123')
    await user.click(screen.getByRole('button', { name: 'Create account' }))
    const login = `/login?redirect=${encodeURIComponent(SETTINGS)}`
    await waitFor(() => expect(assign.mock.calls).toEqual([[login]]))
    cleanup()
    await open(login, { mailbox: true })
    expect(await screen.findByRole('heading', { level: 1, name: 'Almost there' })).toBeDefined()
    expect(screen.getByLabelText(/^Email/)).toHaveProperty('value', 'ada@example.org')
    expect(screen.getByRole('link', { name: 'mailbox' }).getAttribute('href')).toBe('/sandbox/mail')
  })
})

test('who forgot their password come to the page that sends the link, with their address', async () => {
  stubApi(LOGGED_OUT_RESPONSE)
  const user = await open('/login')
  await enterText(user, await screen.findByLabelText(/^Email/), 'ada@example.org')
  await user.click(screen.getByRole('link', { name: 'Forgot password?' }))
  expect(assign.mock.calls).toEqual([['/forgot-password']])
  cleanup()
  await open('/forgot-password')
  expect(await screen.findByRole('button', { name: 'Send link' })).toBeDefined()
  expect(screen.getByLabelText(/^Email/)).toHaveProperty('value', 'ada@example.org')
})

test('the link of the confirmation mail leads to the login, and is redeemed once', async () => {
  const api = stubApi({
    ...LOGGED_OUT_RESPONSE,
    'POST /api/auth/email-verification': { ok: true, user: null },
  })
  await open('/auth/callback?token=123')
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/login'))
  expect(api.to('POST /api/auth/email-verification').map(({ body }) => body)).toEqual([{ token: '123' }])
})

test('the link of the confirmation mail leads to the set-up when it has logged the owner in', async () => {
  const { user } = LOGGED_IN_RESPONSE[SESSION_REQUEST]
  stubApi({ ...LOGGED_OUT_RESPONSE, 'POST /api/auth/email-verification': { ok: true, user } })
  await open('/auth/callback?token=123')
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/setup'))
  expect(replace).not.toHaveBeenCalledWith('/login')
  // The set-up says that the address is confirmed. A toast would cover its fields on a phone.
  expect(sessionStorage.getItem('carried-toast')).toBeNull()
})

test('the link to a new address leads to the profile, by way of the login', async () => {
  const api = stubApi({ ...LOGGED_OUT_RESPONSE, 'POST /api/auth/email-change': { ok: true } })
  await open('/auth/email-change?token=123')
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/login?redirect=%2Fprofile'))
  expect(api.to('POST /api/auth/email-change').map(({ body }) => body)).toEqual([{ token: '123' }])
})

test('after a new password one logs in', async () => {
  const api = stubApi({ ...LOGGED_OUT_RESPONSE, 'POST /api/auth/password-reset': { ok: true } })
  const user = await open('/reset-password?token=1e5')
  await enterText(user, await screen.findByLabelText(/^New password/), 'password123')
  await enterText(user, screen.getByLabelText(/^Confirm password/), 'password123')
  await user.click(screen.getByRole('button', { name: 'Save new password' }))
  await waitFor(() => expect(replace).toHaveBeenCalledWith('/login'))
  expect(api.to('POST /api/auth/password-reset')[0]?.body).toMatchObject({ token: '1e5' })
})

// The cast is safe, because `LOGIN_AND_REGISTRATION_PAGES` is an object literal of that type.
test.each(Object.keys(LOGIN_AND_REGISTRATION_PAGES) as (keyof typeof LOGIN_AND_REGISTRATION_PAGES)[])(
  '%s keeps the title that the server gave it, and has no address to share but its own',
  async (path) => {
    const never = () => new Promise(() => undefined)
    stubApi({
      ...LOGGED_OUT_RESPONSE,
      // Without a response, these pages do not move on to another page.
      'POST /api/auth/email-verification': never,
      'POST /api/auth/email-change': never,
    })
    const named: string[] = []
    vi.spyOn(document, 'title', 'set').mockImplementation((title) => void named.push(title))
    await open(`${path}?token=t`)
    await screen.findByRole('heading', { level: 1 })
    expect(new Set(named)).toEqual(new Set([toDocumentTitle(LOGIN_AND_REGISTRATION_PAGES[path])]))
    expect(document.querySelector('link[rel=canonical]')).toBeNull()
  },
)

/** Opens a page as `main.tsx` does. */
async function open(address: string, site: Partial<Omit<SitePageData, 'operator'>> = {}): Promise<UserEvent> {
  history.replaceState(null, '', address)
  const { pathname, search } = location
  const page = await loadPage({ path: pathname, search, state: readPageState() })
  render(
    <StrictMode>
      <SiteApp {...page} site={makeSitePageData(site)} />
    </StrictMode>,
  )
  return userEvent.setup({ delay: null })
}

function events(): unknown[] {
  return log.mock.calls.map(([{ event }]) => event)
}
