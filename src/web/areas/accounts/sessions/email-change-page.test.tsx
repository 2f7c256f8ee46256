// @vitest-environment happy-dom

import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { renderPart } from '#web/testing/render-part.tsx'
import { refuse, stubApi } from '#web/testing/stub-api.ts'
import { EmailChangePage } from './email-change-page.tsx'

const CHANGE = 'POST /api/auth/email-change'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the link is redeemed once, and the way goes on', async () => {
  const api = stubApi({ [CHANGE]: { ok: true } })
  const changed = vi.fn()
  renderPart(<EmailChangePage token="a-token" onChanged={changed} />)
  const sentence = 'Your email address is changed. From now on you log in with the new one.'
  expect(await screen.findByText(sentence)).toBeDefined()
  await waitFor(() => expect(changed).toHaveBeenCalled())
  expect(api.to(CHANGE).map(({ body }) => body)).toEqual([{ token: 'a-token' }])
})

test.each([undefined, 'outdated'])(
  'a link that leads nowhere (%s) says so and leads to the profile',
  async (token) => {
    stubApi({ [CHANGE]: refuse('auth.invalid_token') })
    renderPart(<EmailChangePage token={token} onChanged={() => {}} />)
    expect(await screen.findByText(PROBLEMS['auth.invalid_token'].title)).toBeDefined()
    expect(screen.getByRole('link', { name: 'Go to profile' }).getAttribute('href')).toBe('/profile')
  },
)

test('a server in trouble can be asked again', async () => {
  const api = stubApi({ [CHANGE]: refuse('server.unavailable') })
  const changed = vi.fn()
  const { user } = renderPart(<EmailChangePage token="a-token" onChanged={changed} />)
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  api.answer(CHANGE, { ok: true })
  await user.click(await screen.findByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(changed).toHaveBeenCalled())
})
