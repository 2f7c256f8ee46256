// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, stubApi } from '#web/testing/stub-api.ts'
import { EmailChangePage, EmailConfirmationPage } from './email-link-pages.tsx'

const VERIFY = 'POST /api/auth/email-verification'
const CHANGE = 'POST /api/auth/email-change'
const EXPIRED = PROBLEMS['auth.invalid_token'].title

describe.each([
  {
    name: 'the confirmation of a new account',
    Page: EmailConfirmationPage,
    operation: VERIFY,
    answer: { ok: true, user: null },
    confirmed: 'Your email address is confirmed. Welcome to Meridian! You can log in now.',
    link: { name: 'Go to login', href: '/login' },
  },
  {
    name: 'the change of an email address',
    Page: EmailChangePage,
    operation: CHANGE,
    answer: { ok: true },
    confirmed: 'Your email address has changed. From now on, log in with the new one.',
    link: { name: 'Go to profile', href: '/profile' },
  },
])('$name', ({ Page, operation, answer, confirmed, link }) => {
  function renderPage(token: string | undefined) {
    const onConfirmed = vi.fn()
    const { user } = renderComponent(<Page token={token} onConfirmed={onConfirmed} />)
    return { user, onConfirmed }
  }

  test('sends the token once, although React mounts the page twice, and continues', async () => {
    const api = stubApi({ [operation]: answer })
    const { onConfirmed } = renderPage('t0k3n')
    await waitFor(() => expect(onConfirmed).toHaveBeenCalled())
    expect(api.sent.map(({ body }) => body)).toEqual([{ token: 't0k3n' }])
    expect(screen.getByText(confirmed)).toBeDefined()
  })

  test('shows that a link has expired, does not send it again, and links to the next step', async () => {
    const api = stubApi({ [operation]: errorResponse('auth.invalid_token') })
    const { onConfirmed } = renderPage('old')
    expect(await screen.findByText(EXPIRED)).toBeDefined()
    expect(screen.getByRole('link', { name: link.name }).getAttribute('href')).toBe(link.href)
    expect(api.sent).toHaveLength(1)
    expect(onConfirmed).not.toHaveBeenCalled()
  })

  test('sends nothing without a token', () => {
    const api = stubApi({})
    renderPage(undefined)
    expect(screen.getByText(EXPIRED)).toBeDefined()
    expect(screen.getByRole('link', { name: link.name }).getAttribute('href')).toBe(link.href)
    expect(api.sent).toEqual([])
  })

  test('can be retried when the server does not answer', async () => {
    const api = stubApi({ [operation]: errorResponse('server.unavailable') })
    const { user, onConfirmed } = renderPage('t0k3n')
    await user.click(await screen.findByRole('button', { name: 'Try again' }))
    await screen.findByRole('button', { name: 'Try again' })
    api.answer(operation, answer)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => expect(onConfirmed).toHaveBeenCalled())
    expect(api.sent).toHaveLength(3)
  })
})

test('a link whose address was registered again leads to the registration, not to the login', async () => {
  stubApi({ [VERIFY]: errorResponse('auth.registration_replaced') })
  const onConfirmed = vi.fn()
  renderComponent(<EmailConfirmationPage token="replaced" onConfirmed={onConfirmed} />)
  expect(await screen.findByText(PROBLEMS['auth.registration_replaced'].title)).toBeDefined()
  expect(screen.getByRole('link', { name: 'Register again' }).getAttribute('href')).toBe('/register')
  expect(screen.queryByRole('link', { name: 'Go to login' })).toBeNull()
  expect(onConfirmed).not.toHaveBeenCalled()
})
