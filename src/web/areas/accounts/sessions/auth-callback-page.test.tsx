// @vitest-environment happy-dom
import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { renderPart } from '#web/testing/render-part.tsx'
import { refuse, stubApi } from '#web/testing/stub-api.ts'
import { AuthCallbackPage } from './auth-callback-page.tsx'

const VERIFY = 'POST /api/auth/email-verification'
const DEAD = PROBLEMS['auth.invalid_token'].title

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the token is sent once, although React mounts the page twice, and leads on', async () => {
  const api = stubApi({ [VERIFY]: { ok: true } })
  const onConfirmed = renderCallback('t0k3n')
  await waitFor(() => expect(onConfirmed).toHaveBeenCalled())
  expect(api.sent.map(({ body }) => body)).toEqual([{ token: 't0k3n' }])
  expect(
    screen.getByText('Your email address is confirmed. Welcome to Meridian! You can log in now.'),
  ).toBeDefined()
})

test('a dead link says so, is not sent again, and leads to the login', async () => {
  const api = stubApi({ [VERIFY]: refuse('auth.invalid_token') })
  const onConfirmed = renderCallback('old')
  expect(await screen.findByText(DEAD)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Go to login' }).getAttribute('href')).toBe('/login')
  expect(api.sent).toHaveLength(1)
  expect(onConfirmed).not.toHaveBeenCalled()
})

test('a link whose address was registered again says so and leads to the registration, not to the login', async () => {
  stubApi({ [VERIFY]: refuse('auth.registration_replaced') })
  const onConfirmed = renderCallback('replaced')
  expect(await screen.findByText(PROBLEMS['auth.registration_replaced'].title)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Register again' }).getAttribute('href')).toBe('/register')
  expect(screen.queryByRole('link', { name: 'Go to login' })).toBeNull()
  expect(onConfirmed).not.toHaveBeenCalled()
})

test('without a token nothing is sent', () => {
  const api = stubApi({})
  renderCallback(undefined)
  expect(screen.getByText(DEAD)).toBeDefined()
  expect(api.sent).toEqual([])
})

test('a server that does not answer can be asked again', async () => {
  const api = stubApi({ [VERIFY]: refuse('server.unavailable') })
  const { user, onConfirmed } = renderWithUser('t0k3n')
  await screen.findByRole('button', { name: 'Try again' })
  api.answer(VERIFY, { ok: true })
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(onConfirmed).toHaveBeenCalled())
  expect(api.sent).toHaveLength(2)
})

function renderWithUser(token: string | undefined) {
  const onConfirmed = vi.fn()
  const { user } = renderPart(<AuthCallbackPage token={token} onConfirmed={onConfirmed} />)
  return { user, onConfirmed }
}

function renderCallback(token: string | undefined) {
  return renderWithUser(token).onConfirmed
}
