// @vitest-environment happy-dom

import { screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { ForgotPasswordPage } from './forgot-password-page.tsx'
import { ResetPasswordPage } from './reset-password-page.tsx'

let log: MockInstance
beforeEach(() => {
  log = vi.spyOn(console, 'info').mockImplementation(() => undefined)
})

describe('the forgotten password', () => {
  const ASK = 'POST /api/auth/password-reset-request'

  test('requests a link, and the answer does not reveal whether the account exists', async () => {
    const api = stubApi({ [ASK]: { ok: true } })
    const { user } = renderComponent(<ForgotPasswordPage email="ada@example.org" />)
    await user.click(screen.getByRole('button', { name: 'Send link' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Check your email' })).toBeDefined()
    expect(screen.queryByText(/We’ll send you a link/)).toBeNull()
    expect(screen.getByText(/^If there is an account for/)).toBeDefined()
    expect(api.to(ASK)[0]?.body).toEqual({ email: 'ada@example.org' })
    await user.click(screen.getByRole('button', { name: 'Use another address' }))
    expect(screen.getByRole('heading', { level: 1, name: 'Forgot password?' })).toBeDefined()
  })

  test('an invalid address is reported', async () => {
    const api = stubApi({})
    const { user } = renderComponent(<ForgotPasswordPage />)
    await user.click(screen.getByRole('button', { name: 'Send link' }))
    expect(await screen.findByText(PROBLEMS['auth.invalid_email'].title)).toBeDefined()
    expect(api.sent).toEqual([])
  })

  test('a failed request is shown once, in the form, and keeps the address', async () => {
    stubApi({ [ASK]: errorResponse('request.too_many') })
    const { user } = renderComponent(<ForgotPasswordPage email="ada@example.org" />)
    await user.click(screen.getByRole('button', { name: 'Send link' }))
    expect(await screen.findAllByText(PROBLEMS['request.too_many'].title)).toHaveLength(1)
    expect(screen.getByLabelText(/^Email/)).toHaveProperty('value', 'ada@example.org')
  })
})

describe('the new password', () => {
  const RESET = 'POST /api/auth/password-reset'
  const DEAD = PROBLEMS['auth.invalid_token'].title

  test('is sent with the token of the link', async () => {
    const api = stubApi({ [RESET]: { ok: true } })
    const { onChanged, submit } = renderReset('t0k3n')
    await submit('password123', 'password123')
    await waitFor(() => expect(onChanged).toHaveBeenCalledTimes(1))
    expect(api.to(RESET)[0]?.body).toEqual({ token: 't0k3n', password: 'password123' })
    expect(screen.getByRole('status').textContent).toContain('Your password has been changed.')
  })

  test.each([
    ['Passwords do not match!', 'password123', 'password124'],
    [PROBLEMS['auth.password_too_short'].title, 'short', 'short'],
  ])('%s', async (sentence, first, second) => {
    const api = stubApi({})
    const { submit } = renderReset('t0k3n')
    await submit(first, second)
    expect(await screen.findByText(sentence)).toBeDefined()
    expect(api.sent).toEqual([])
  })

  test('an expired link shows an error, and a link to request a new one', async () => {
    stubApi({ [RESET]: errorResponse('auth.invalid_token') })
    const { submit } = renderReset('old')
    await submit('password123', 'password123')
    expect(await screen.findByText(DEAD)).toBeDefined()
    expect(screen.getByRole('link', { name: 'Get a new link' }).getAttribute('href')).toBe('/forgot-password')
  })

  test('a link without a token shows the same error', () => {
    stubApi({})
    renderReset(undefined)
    expect(screen.getByText(DEAD)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Save new password' })).toBeNull()
  })

  test('opening the link is logged once as password recovery', () => {
    stubApi({})
    renderReset('t0k3n')
    expect(log.mock.calls).toEqual([[{ event: 'PASSWORD_RECOVERY', hasSession: false, userId: null }]])
  })

  function renderReset(token: string | undefined) {
    const onChanged = vi.fn()
    const { user } = renderComponent(<ResetPasswordPage token={token} onChanged={onChanged} />)
    const submit = async (first: string, second: string) => {
      await enterText(user, screen.getByLabelText(/^New password/), first)
      await enterText(user, screen.getByLabelText(/^Confirm password/), second)
      await user.click(screen.getByRole('button', { name: 'Save new password' }))
    }
    return { onChanged, submit }
  }
})
