// @vitest-environment happy-dom

import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { DemoCredentials } from '#contract/pages/page-data.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { makeOwner } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { LoginPage, type UnconfirmedRegistration } from './login-page.tsx'

const SIGN_IN = 'POST /api/auth/sign-in'
const SECOND = 'POST /api/auth/two-factor'

test('a login shows a toast and continues', async () => {
  const api = stubApi({ [SIGN_IN]: { user: makeOwner() } })
  const { user, onSignedIn } = renderLogin()
  await enterText(user, screen.getByLabelText(/^Email/), ' Meredith@Example.org ')
  await enterText(user, password(), 'password123')
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledTimes(1))
  expect(screen.getByRole('status').textContent).toContain('Successfully logged in!')
  expect(api.to(SIGN_IN)[0]?.body).toEqual({ email: 'meredith@example.org', password: 'password123' })
})

test('one press logs in to the demo practice', async () => {
  const api = stubApi({ [SIGN_IN]: { user: makeOwner() } })
  const demo = { email: 'demo@example.com', password: 'told to everybody' }
  const { user, onSignedIn } = renderLogin({ demo })
  expect(screen.getByText('told to everybody')).toBeDefined()
  await user.click(screen.getByRole('button', { name: 'Log in to the demo' }))
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledTimes(1))
  expect(api.sent.map(({ body }) => body)).toEqual([demo])
})

test('without a demo practice, visitors get a link to a sample booking', () => {
  stubApi({})
  renderLogin()
  expect(screen.queryByText(/demo/i)).toBeNull()
  expect(screen.getByRole('link', { name: 'Try a booking' }).getAttribute('href')).toBe('/#sample')
})

const REGISTERED = 'Registration successful! Please check your email to confirm your account.'

test('a new owner is asked to confirm their address, which is filled in', async () => {
  stubApi({ [SIGN_IN]: errorResponse('auth.email_not_verified') })
  const { user } = renderLogin({ registered: { email: 'ada@example.org', mailbox: null } })
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Almost there')
  expect(screen.getByText(REGISTERED).parentElement?.textContent).toContain(
    'We sent a link to ada@example.org. Open it in this browser to log in.',
  )
  expect(screen.getByLabelText<HTMLInputElement>(/^Email/).value).toBe('ada@example.org')
  expect(screen.queryByRole('link', { name: 'mailbox' })).toBeNull()
  expect(screen.getByText('Opened the link on another device? Log in here.')).toBeDefined()
  expect(screen.queryByRole('link', { name: 'Forgot password?' })).toBeNull()
  await enterText(user, password(), 'password123')
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  await screen.findByText(PROBLEMS['auth.email_not_verified'].title)
  expect(screen.queryByText(REGISTERED)).toBeNull()
})

test('a new owner sees neither the demo practice nor other ways in', () => {
  stubApi({})
  renderLogin({
    demo: { email: 'demo@example.com', password: 'told to everybody' },
    registered: { email: 'ada@example.org', mailbox: null },
  })
  expect(screen.queryByText(/demo/)).toBeNull()
  expect(screen.queryByText(/New here|Just looking/)).toBeNull()
})

test('a trial installation links to its mailbox', () => {
  stubApi({})
  renderLogin({ registered: { email: 'ada@example.org', mailbox: '/sandbox/mail' } })
  expect(screen.getByRole('link', { name: 'mailbox' }).getAttribute('href')).toBe('/sandbox/mail')
})

test('a refusal is shown once, in the form, and keeps typed text', async () => {
  stubApi({ [SIGN_IN]: errorResponse('auth.invalid_credentials') })
  const { user, onSignedIn } = renderLogin()
  await fillIn(user)
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  expect(await screen.findAllByText(PROBLEMS['auth.invalid_credentials'].title)).toHaveLength(1)
  const alerts = screen.getAllByRole('alert').map(({ textContent }) => textContent)
  expect(alerts).toContain(PROBLEMS['auth.invalid_credentials'].title)
  expect(password()).toHaveProperty('value', 'password123')
  expect(onSignedIn).not.toHaveBeenCalled()
})

test('an address that is not confirmed yet gets the server’s sentence', async () => {
  stubApi({ [SIGN_IN]: errorResponse('auth.email_not_verified') })
  const { user } = renderLogin()
  await fillIn(user)
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  const sentence = PROBLEMS['auth.email_not_verified'].title
  expect(await screen.findAllByText(sentence)).toHaveLength(1)
})

test('shows that there is no connection', async () => {
  stubApi({})
  const { user } = renderLogin()
  await fillIn(user)
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  const sentence = 'You’re offline. Check your connection and try again.'
  expect(await screen.findAllByText(sentence)).toHaveLength(1)
})

test('an invalid address and a missing password are reported before sending', async () => {
  const api = stubApi({})
  const { user } = renderLogin()
  await user.type(screen.getByLabelText(/^Email/), 'nope')
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  expect(await screen.findByText(PROBLEMS['auth.invalid_email'].title)).toBeDefined()
  expect(screen.getByText('Please enter your password')).toBeDefined()
  expect(api.sent).toEqual([])
})

test('pressed twice, the button sends once', async () => {
  const held = heldResponse({ user: makeOwner() })
  const api = stubApi({ [SIGN_IN]: held.answer })
  const { user, onSignedIn } = renderLogin()
  await fillIn(user)
  await user.dblClick(screen.getByRole('button', { name: 'Log in' }))
  await user.click(await screen.findByRole('button', { name: 'Logging in...' }))
  await user.type(password(), '{Enter}')
  held.release()
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledTimes(1))
  expect(api.sent).toHaveLength(1)
})

test('the password can be shown and hidden again', async () => {
  stubApi({})
  const { user } = renderLogin()
  expect(password()).toHaveProperty('type', 'password')
  await user.click(screen.getByRole('button', { name: 'Show password' }))
  expect(password()).toHaveProperty('type', 'text')
  await user.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(password()).toHaveProperty('type', 'password')
})

test('“Forgot password?” shows a toast and continues with the typed address', async () => {
  stubApi({})
  const { user, onForgotPassword } = renderLogin()
  await enterText(user, screen.getByLabelText(/^Email/), 'ada@example.org')
  await user.click(screen.getByRole('link', { name: 'Forgot password?' }))
  expect(screen.getByRole('status').textContent).toContain(
    'Enter your email address, and we’ll send you a link to choose a new password.',
  )
  expect(onForgotPassword).toHaveBeenCalledWith('ada@example.org')
})

test('there is a link to the registration', () => {
  stubApi({})
  renderLogin()
  expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/register')
})

describe('with a second factor', () => {
  const WRONG_CODE = PROBLEMS['account.wrong_code'].title
  const CHALLENGE = { user: null, two_factor_required: true }

  test('the code is asked for after the password, and sent as soon as it is complete', async () => {
    const info = vi.spyOn(console, 'info').mockImplementation(() => undefined)
    const api = stubApi({ [SIGN_IN]: CHALLENGE, [SECOND]: { user: makeOwner() } })
    const { user, onSignedIn } = await renderCodeStep()
    const code = screen.getByLabelText(/^Code/)
    expect(code).toBe(document.activeElement)
    expect([code.getAttribute('autocomplete'), code.getAttribute('inputmode')]).toEqual([
      'one-time-code',
      'numeric',
    ])
    expect(onSignedIn).not.toHaveBeenCalled()
    await user.click(screen.getByRole('checkbox', { name: 'Trust this device for 30 days' }))
    await user.click(code)
    await user.paste(' 123 456 ')
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledTimes(1))
    expect(api.to(SECOND).map(({ body }) => body)).toEqual([{ code: '123 456', trust_device: true }])
    expect(screen.getByRole('status').textContent).toContain('Successfully logged in!')
    expect(info.mock.calls).toEqual([
      [{ event: 'MFA_CHALLENGE_VERIFIED', hasSession: true, userId: makeOwner().id }],
    ])
    info.mockRestore()
  })

  test('typing the last digit and pressing Enter sends a code once, and a wrong code is not sent again', async () => {
    const held = heldResponse(errorResponse('account.wrong_code', [{ path: 'code', message: WRONG_CODE }]))
    const api = stubApi({ [SIGN_IN]: CHALLENGE, [SECOND]: held.answer })
    const { user } = await renderCodeStep()
    await user.type(screen.getByLabelText(/^Code/), '000000{Enter}')
    await user.dblClick(screen.getByRole('button', { name: 'Verifying...' }))
    held.release()
    await screen.findByText(WRONG_CODE)
    await user.keyboard('{Enter}')
    expect(screen.getByText(WRONG_CODE)).toBeDefined()
    expect(api.to(SECOND)).toHaveLength(1)
    await user.clear(screen.getByLabelText(/^Code/))
    await enterText(user, screen.getByLabelText(/^Code/), '000000')
    await waitFor(() => expect(api.to(SECOND)).toHaveLength(2))
  })

  test('a wrong code is reported under its field and selected', async () => {
    stubApi({
      [SIGN_IN]: CHALLENGE,
      [SECOND]: errorResponse('account.wrong_code', [{ path: 'code', message: WRONG_CODE }]),
    })
    const { user, onSignedIn } = await renderCodeStep()
    await enterText(user, screen.getByLabelText(/^Code/), '000000')
    await screen.findByText(WRONG_CODE)
    expect(screen.getByLabelText(/^Code/)).toBe(document.activeElement)
    expect(onSignedIn).not.toHaveBeenCalled()
    await user.clear(screen.getByLabelText(/^Code/))
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    await screen.findByText(PROBLEMS['account.code_required'].title)
  })

  test('a backup code works instead of the app', async () => {
    const api = stubApi({ [SIGN_IN]: CHALLENGE, [SECOND]: { user: makeOwner() } })
    const { user, onSignedIn } = await renderCodeStep()
    await user.type(screen.getByLabelText(/^Code/), '12')
    await user.click(screen.getByRole('button', { name: 'Use a backup code instead' }))
    expect(screen.getByLabelText(/^Backup code/)).toBe(document.activeElement)
    await enterText(user, screen.getByLabelText(/^Backup code/), '7gkm2-x9wqa')
    await user.click(screen.getByRole('button', { name: 'Verify' }))
    await waitFor(() => expect(onSignedIn).toHaveBeenCalledTimes(1))
    expect(api.to(SECOND)[0]?.body).toEqual({ code: '7gkm2-x9wqa', trust_device: false })
  })

  test('an expired login starts over and shows the reason', async () => {
    stubApi({ [SIGN_IN]: CHALLENGE, [SECOND]: errorResponse('auth.second_factor_expired') })
    const { user } = await renderCodeStep()
    await enterText(user, screen.getByLabelText(/^Code/), '123456')
    await screen.findByRole('heading', { name: 'Welcome back' })
    const sentence = PROBLEMS['auth.second_factor_expired'].title
    expect(screen.getByText(sentence)).toBeDefined()
  })

  test.each([
    ['account.code_locked', PROBLEMS['account.code_locked'].title],
    ['request.too_many', PROBLEMS['request.too_many'].title],
  ] as const)('%s is shown in the form', async (code, sentence) => {
    stubApi({ [SIGN_IN]: CHALLENGE, [SECOND]: errorResponse(code) })
    const { user } = await renderCodeStep()
    await enterText(user, screen.getByLabelText(/^Code/), '123456')
    expect(await screen.findAllByText(sentence)).toHaveLength(1)
  })

  test('there is a button back to the password', async () => {
    stubApi({ [SIGN_IN]: CHALLENGE })
    const { user } = await renderCodeStep()
    await user.click(screen.getByRole('button', { name: 'Back to login' }))
    expect(screen.getByRole('heading', { name: 'Welcome back' })).toBeDefined()
    expect(screen.queryByRole('alert')?.textContent ?? '').toBe('')
  })

  async function renderCodeStep() {
    const rendered = renderLogin()
    await fillIn(rendered.user)
    await rendered.user.click(screen.getByRole('button', { name: 'Log in' }))
    await screen.findByRole('heading', { name: 'Two-factor authentication' })
    return rendered
  }
})

function renderLogin({
  demo,
  registered,
}: {
  demo?: DemoCredentials
  registered?: UnconfirmedRegistration
} = {}) {
  const onSignedIn = vi.fn()
  const onForgotPassword = vi.fn()
  const { user } = renderComponent(
    <LoginPage
      registerHref="/register"
      demo={demo}
      registered={registered}
      onSignedIn={onSignedIn}
      onForgotPassword={onForgotPassword}
    />,
  )
  return { user, onSignedIn, onForgotPassword }
}

async function fillIn(user: ReturnType<typeof renderLogin>['user']) {
  await enterText(user, screen.getByLabelText(/^Email/), 'meredith@example.org')
  await enterText(user, password(), 'password123')
}

function password(): HTMLElement {
  return screen.getByLabelText(/^Password/)
}
