// @vitest-environment happy-dom

import { cleanup, screen, waitFor } from '@testing-library/react'
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

function renderRegister({ isTrial = false } = {}) {
  const onRegistered = vi.fn()
  const { user } = renderComponent(
    <RegisterPage loginHref="/login" isTrial={isTrial} onRegistered={onRegistered} />,
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
