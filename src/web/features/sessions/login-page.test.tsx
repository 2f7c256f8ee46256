// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { makeOwner } from '#web/app/testing/make-records.ts'
import { renderPart } from '#web/app/testing/render-page.tsx'
import { heldAnswer, refuse, stubApi } from '#web/app/testing/stub-api.ts'
import { LoginPage } from './login-page.tsx'

const SIGN_IN = 'POST /api/auth/sign-in'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('signing in says so and goes on', async () => {
  const api = stubApi({ [SIGN_IN]: { user: makeOwner() } })
  const { user, onSignedIn } = renderLogin()
  await user.type(screen.getByLabelText(/^Email/), ' Meredith@Example.org ')
  await user.type(password(), 'password123')
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  await waitFor(() => expect(onSignedIn).toHaveBeenCalledTimes(1))
  expect(screen.getByRole('status').textContent).toContain('Successfully logged in!')
  expect(api.sent[0]?.body).toEqual({ email: 'meredith@example.org', password: 'password123' })
})

test('a refusal is shown as a toast and in place, and what was typed stays', async () => {
  stubApi({ [SIGN_IN]: refuse('auth.invalid_credentials') })
  const { user, onSignedIn } = renderLogin()
  await fillIn(user)
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  expect(await screen.findAllByText('Invalid email or password')).toHaveLength(2)
  expect(screen.getByRole('alert').textContent).toContain('Invalid email or password')
  expect(password()).toHaveProperty('value', 'password123')
  expect(onSignedIn).not.toHaveBeenCalled()
})

test('an address that is not confirmed yet gets the server’s sentence', async () => {
  stubApi({ [SIGN_IN]: refuse('auth.email_not_verified') })
  const { user } = renderLogin()
  await fillIn(user)
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  const sentence = 'Please confirm your email address first. We have sent you a new link.'
  expect(await screen.findAllByText(sentence)).toHaveLength(2)
})

test('without a connection the form says so', async () => {
  stubApi({})
  const { user } = renderLogin()
  await fillIn(user)
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  const sentence = 'You appear to be offline. Please check your connection and try again.'
  expect(await screen.findAllByText(sentence)).toHaveLength(2)
})

test('an address that is none and a missing password are pointed out before anything is sent', async () => {
  const api = stubApi({})
  const { user } = renderLogin()
  await user.type(screen.getByLabelText(/^Email/), 'nope')
  await user.click(screen.getByRole('button', { name: 'Log in' }))
  expect(await screen.findByText('Please enter a valid email address')).toBeDefined()
  expect(screen.getByText('Please enter your password')).toBeDefined()
  expect(api.sent).toEqual([])
})

test('pressed twice, the button sends once', async () => {
  const held = heldAnswer({ user: makeOwner() })
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

test('a forgotten password shows an info toast and leads on with the address typed so far', async () => {
  stubApi({})
  const { user, onForgotPassword } = renderLogin()
  await user.type(screen.getByLabelText(/^Email/), 'ada@example.org')
  await user.click(screen.getByRole('link', { name: 'Forgot password?' }))
  expect(screen.getByRole('status').textContent).toContain(
    'Enter your email address and we will send you a link to choose a new password.',
  )
  expect(onForgotPassword).toHaveBeenCalledWith('ada@example.org')
})

test('there is a way to sign up', () => {
  stubApi({})
  renderLogin()
  expect(screen.getByRole('link', { name: 'Sign up' }).getAttribute('href')).toBe('/register')
})

function renderLogin() {
  const onSignedIn = vi.fn()
  const onForgotPassword = vi.fn()
  const { user } = renderPart(
    <LoginPage registerHref="/register" onSignedIn={onSignedIn} onForgotPassword={onForgotPassword} />,
  )
  return { user, onSignedIn, onForgotPassword }
}

async function fillIn(user: ReturnType<typeof renderLogin>['user']) {
  await user.type(screen.getByLabelText(/^Email/), 'meredith@example.org')
  await user.type(password(), 'password123')
}

function password(): HTMLElement {
  return screen.getByLabelText(/^Password/)
}
