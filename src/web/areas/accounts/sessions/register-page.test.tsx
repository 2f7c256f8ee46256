// @vitest-environment happy-dom

import { cleanup, screen, waitFor } from '@testing-library/react'
import type { ComponentProps } from 'react'
import { expect, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { RegisterPage } from './register-page.tsx'

const SIGN_UP = 'POST /api/auth/sign-up'
const GOOD = { name: 'Ada Lovelace', email: 'ada@example.org', password: 'password123', again: 'password123' }

test('a registration sends name, address and password, and leaves it to the next page to say so', async () => {
  const api = stubApi({ [SIGN_UP]: { ok: true } })
  const { onRegistered, submit } = renderRegister()
  await submit({ ...GOOD, name: '  Ada Lovelace ' })
  await waitFor(() => expect(onRegistered.mock.calls).toEqual([['ada@example.org']]))
  expect(screen.queryByText(/Registration successful/)).toBeNull()
  expect(api.to(SIGN_UP)[0]?.body).toEqual({
    full_name: 'Ada Lovelace',
    email: 'ada@example.org',
    password: 'password123',
  })
})

test.each([
  ['Passwords do not match!', { ...GOOD, again: 'password124' }],
  [PROBLEMS['auth.name_too_short'].title, { ...GOOD, name: ' A ' }],
  [PROBLEMS['auth.password_too_short'].title, { ...GOOD, password: 'short', again: 'short' }],
  [PROBLEMS['auth.password_too_long'].title, { ...GOOD, password: 'x'.repeat(129), again: 'x'.repeat(129) }],
  [PROBLEMS['auth.invalid_email'].title, { ...GOOD, email: 'ada@nowhere' }],
])('%s', async (sentence, values) => {
  const api = stubApi({ [SIGN_UP]: { ok: true } })
  const { onRegistered, submit } = renderRegister()
  await submit(values)
  expect(await screen.findByText(sentence)).toBeDefined()
  expect(api.sent).toEqual([])
  expect(onRegistered).not.toHaveBeenCalled()
})

test('links to terms and privacy, and marks a trial installation', () => {
  stubApi({})
  renderRegister({ isTrial: true })
  expect(screen.getByRole('link', { name: 'Terms' }).getAttribute('href')).toBe('/terms')
  expect(screen.getByRole('link', { name: 'Privacy' }).getAttribute('href')).toBe('/privacy')
  expect(screen.getByText(/This is a trial site: please don’t enter real data\./)).toBeDefined()
  cleanup()
  renderRegister()
  expect(screen.queryByText(/trial/)).toBeNull()
})

test('all errors are shown at once', async () => {
  stubApi({})
  const { submit } = renderRegister()
  await submit({ name: 'A', email: 'nope', password: 'short', again: 'other' })
  expect(await screen.findByText('Passwords do not match!')).toBeDefined()
  expect(screen.getByText(PROBLEMS['auth.name_too_short'].title)).toBeDefined()
  expect(screen.getByText(PROBLEMS['auth.invalid_email'].title)).toBeDefined()
  expect(screen.getByText(PROBLEMS['auth.password_too_short'].title)).toBeDefined()
})

test('an error from the server is shown under its field', async () => {
  const remark = { path: 'email', message: PROBLEMS['auth.invalid_email'].title }
  stubApi({ [SIGN_UP]: errorResponse('auth.invalid_email', [remark]) })
  const { submit } = renderRegister()
  await submit(GOOD)
  const field = await waitFor(() => {
    const input = screen.getByLabelText(/^Email/)
    expect(input.getAttribute('aria-invalid')).toBe('true')
    return input
  })
  expect(field).toHaveProperty('value', 'ada@example.org')
})

test('too many attempts are reported once, in the form, and typed text is kept', async () => {
  stubApi({ [SIGN_UP]: errorResponse('request.too_many') })
  const { submit, onRegistered } = renderRegister()
  await submit(GOOD)
  expect(await screen.findAllByText(PROBLEMS['request.too_many'].title)).toHaveLength(1)
  expect(screen.getByLabelText(/^Full Name/)).toHaveProperty('value', 'Ada Lovelace')
  expect(onRegistered).not.toHaveBeenCalled()
})

test.each([
  ['closed', undefined, 'auth.registration_closed'],
  ['closed', { id: 'abc', email: 'ada@example.org' }, 'auth.registration_closed'],
  ['invited', undefined, 'auth.invitation_required'],
] as const)(
  'where registration is %s, a visitor with %j reads why they cannot register',
  (registration, invitation, code) => {
    stubApi({})
    renderRegister({ registration, invitation })
    expect(screen.getByText(PROBLEMS[code].title)).toBeDefined()
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.getByRole('link', { name: 'Log in' })).toBeDefined()
  },
)

test('an invitation is sent with the address it is for, which cannot be changed', async () => {
  const api = stubApi({ [SIGN_UP]: { ok: true } })
  const invitation = { id: '00000000-0000-4000-8000-000000000001', email: 'ada@example.org' }
  const { submit, onRegistered } = renderRegister({ registration: 'invited', invitation })
  await submit({ ...GOOD, email: 'other@example.org' })
  await waitFor(() => expect(onRegistered.mock.calls).toEqual([['ada@example.org']]))
  expect(api.to(SIGN_UP)[0]?.body).toMatchObject({ email: 'ada@example.org', invitation: invitation.id })
})

test('an invitation that has expired is reported in the form', async () => {
  stubApi({ [SIGN_UP]: errorResponse('auth.invitation_invalid') })
  const invitation = { id: '00000000-0000-4000-8000-000000000001', email: 'ada@example.org' }
  const { submit } = renderRegister({ registration: 'invited', invitation })
  await submit(GOOD)
  expect(await screen.findByText(PROBLEMS['auth.invitation_invalid'].title)).toBeDefined()
})

function renderRegister({
  isTrial = false,
  registration = 'open',
  invitation,
}: Partial<Pick<ComponentProps<typeof RegisterPage>, 'isTrial' | 'registration' | 'invitation'>> = {}) {
  const onRegistered = vi.fn()
  const { user } = renderComponent(
    <RegisterPage
      loginHref="/login"
      isTrial={isTrial}
      registration={registration}
      invitation={invitation}
      onRegistered={onRegistered}
    />,
  )
  const submit = async (values: typeof GOOD) => {
    await enterText(user, screen.getByLabelText(/^Full Name/), values.name)
    await enterText(user, screen.getByLabelText(/^Email/), values.email)
    await user.click(screen.getByLabelText(/^Password/))
    await user.paste(values.password)
    await user.click(screen.getByLabelText(/^Confirm password/))
    await user.paste(values.again)
    await user.click(screen.getByRole('button', { name: 'Create account' }))
  }
  return { onRegistered, submit }
}
