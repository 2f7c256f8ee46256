// @vitest-environment happy-dom

import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { makeOwner } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { AccountPanel } from './account-panel.tsx'

const EXPORT = 'POST /api/profile/export'
const DELETE = 'DELETE /api/profile'
const assign = vi.fn()

beforeEach(() => {
  vi.spyOn(window.location, 'assign').mockImplementation(assign)
})
afterEach(() => {
  assign.mockClear()
})

describe('the export', () => {
  test('a double press downloads one archive', async () => {
    const { user, api } = openPanel()
    const downloads: string[] = []
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      downloads.push(this.download)
    })
    const held = heldResponse(new Response('zipped', { headers: { 'content-type': 'application/zip' } }))
    api.answer(EXPORT, held.answer)
    await askForExport(user)
    await user.click(await screen.findByRole('button', { name: 'Preparing your data...' }))
    held.release()
    expect(await screen.findByText('We’ve downloaded your data.')).toBeDefined()
    expect(downloads).toEqual([expect.stringMatching(/^meridian-\d{4}-\d\d-\d\d\.zip$/)])
    expect(api.to(EXPORT).map(({ body }) => body)).toEqual([{ password: 'secret words' }])
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    await user.click(screen.getByRole('button', { name: 'Export all my data' }))
    expect(await screen.findByLabelText(/^Password/)).toHaveProperty('value', '')
  })

  test('a wrong password is reported under its field, and nothing is downloaded', async () => {
    const { user, api } = openPanel()
    const message = PROBLEMS['account.wrong_password'].title
    api.answer(EXPORT, errorResponse('account.wrong_password', [{ path: 'password', message }]))
    await askForExport(user)
    expect(await screen.findByText(message)).toBeDefined()
    expect(screen.getByLabelText(/^Password/).getAttribute('aria-invalid')).toBe('true')
  })

  test('a refusal shows the reason', async () => {
    const { user, api } = openPanel()
    api.answer(EXPORT, errorResponse('request.too_many'))
    await askForExport(user)
    const sentence = 'Failed to export your data: Too many attempts. Please wait a moment and try again.'
    expect(await screen.findByText(sentence)).toBeDefined()
  })

  test('a download that breaks off is not saved', async () => {
    const { user, api } = openPanel()
    const broken = new ReadableStream({ start: (body) => body.error(new TypeError('connection lost')) })
    api.answer(EXPORT, () => new Response(broken))
    await askForExport(user)
    expect(await screen.findByText(/^Failed to export your data: You’re offline/)).toBeDefined()
  })

  async function askForExport(user: UserEvent) {
    await user.click(screen.getByRole('button', { name: 'Export all my data' }))
    await enterText(user, await screen.findByLabelText(/^Password/), 'secret words')
    await user.click(screen.getByRole('button', { name: 'Export' }))
  }
})

describe('deleting the account', () => {
  test('asks for the address and the password, then opens the home page', async () => {
    localStorage.setItem('isLoggedIn', 'true')
    const { user, api } = openPanel()
    const dialog = await ask(user)
    expect(
      dialog.getByText('We’ll email customers of future appointments that these are cancelled.'),
    ).toBeDefined()
    api.answer(DELETE, undefined)
    await confirm(user, ' Meredith@example.org', 'secret words')
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/?account=deleted'))
    expect(api.to(DELETE)[0]?.body).toEqual({ password: 'secret words' })
    expect(localStorage.getItem('isLoggedIn')).toBeNull()
  })

  test.each([
    ['This isn’t your email address.', 'somebody@example.org', 'secret words'],
    ['This isn’t your email address.', '', 'secret words'],
    [PROBLEMS['account.password_required'].title, 'meredith@example.org', ''],
  ])('%s (%j, %j)', async (sentence, email, password) => {
    const { user, api } = openPanel()
    await ask(user)
    await confirm(user, email, password)
    expect(await screen.findByText(sentence)).toBeDefined()
    expect(api.to(DELETE)).toEqual([])
  })

  test('a wrong password is reported under its field, and the dialog stays open', async () => {
    const { user, api } = openPanel()
    await ask(user)
    const message = PROBLEMS['account.wrong_password'].title
    api.answer(DELETE, errorResponse('account.wrong_password', [{ path: 'password', message }]))
    await confirm(user, 'meredith@example.org', 'wrong words')
    expect(await screen.findByText(message)).toBeDefined()
    expect(screen.getByLabelText(/^Password/).getAttribute('aria-invalid')).toBe('true')
    expect(assign).not.toHaveBeenCalled()
  })

  test('any other refusal is shown in the dialog', async () => {
    const { user, api } = openPanel()
    await ask(user)
    api.answer(DELETE, errorResponse('request.too_many'))
    await confirm(user, 'meredith@example.org', 'secret words')
    expect(await screen.findByText(PROBLEMS['request.too_many'].title)).toBeDefined()
  })

  test('a double press sends one request', async () => {
    const { user, api } = openPanel()
    await ask(user)
    const held = heldResponse(undefined)
    api.answer(DELETE, held.answer)
    await confirm(user, 'meredith@example.org', 'secret words')
    await user.click(await screen.findByRole('button', { name: 'Deleting...' }))
    held.release()
    await waitFor(() => expect(assign).toHaveBeenCalledOnce())
    await user.click(screen.getByRole('button', { name: 'Deleting...' }))
    expect(api.to(DELETE)).toHaveLength(1)
  })

  test('cancelling clears the fields', async () => {
    const { user } = openPanel()
    const dialog = await ask(user)
    await enterText(user, dialog.getByLabelText(/^Password/), 'secret words')
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect((await ask(user)).getByLabelText(/^Password/)).toHaveProperty('value', '')
  })

  async function ask(user: UserEvent) {
    await user.click(screen.getByRole('button', { name: 'Delete my account' }))
    return within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
  }

  async function confirm(user: UserEvent, email: string, password: string) {
    const dialog = within(screen.getByRole('dialog'))
    if (email !== '') await enterText(user, dialog.getByLabelText(/^Your email address/), email)
    if (password !== '') await enterText(user, dialog.getByLabelText(/^Password/), password)
    await user.click(dialog.getByRole('button', { name: 'Delete my account' }))
  }
})

test('tells owners who pay for a plan what happens to it', async () => {
  const { user } = openPanel('Your Professional plan ends right away.')
  await user.click(screen.getByRole('button', { name: 'Delete my account' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }))
  expect(dialog.getByText('Your Professional plan ends right away.')).toBeTruthy()
})

function openPanel(planNote: string | null = null) {
  const api = stubApi({})
  const { user } = renderComponent(<AccountPanel owner={makeOwner()} planNote={planNote} />)
  return { user, api }
}
