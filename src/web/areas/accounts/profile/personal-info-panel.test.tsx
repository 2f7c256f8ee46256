// @vitest-environment happy-dom

import { cleanup, screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test, vi } from 'vitest'
import type { Profile } from '#contract/accounts/profile.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { findDraft } from '#web/shared/draft.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { makeProfile, OWNER_ID } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { PersonalInfoPanel } from './personal-info-panel.tsx'

const READ = 'GET /api/profile'
const SAVE = 'PATCH /api/profile'
const KEEP_ADDRESS = 'DELETE /api/profile/email-change'
const FIELDS = [/^First name/, /^Last name/, /^Email/, /^Phone/, 'Time zone', /^Bio/]

describe('reading', () => {
  test('the fields show the profile and are read-only', async () => {
    await open()
    const values = FIELDS.map((label) => screen.getByLabelText(label))
    expect(values.map((field) => 'value' in field && field.value)).toEqual([
      'Meredith',
      'Grey',
      'meredith@example.org',
      '+44 20 7946 0958',
      'London (Europe/London)',
      'Movement and back pain.',
    ])
    for (const field of values) expect(field).toHaveProperty('disabled', true)
    expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  })

  test('the default time zone is shown for a profile without one', async () => {
    await open({ time_zone: null })
    expect(screen.getByLabelText('Time zone')).toHaveProperty('value', 'New York (America/New_York)')
  })

  test('shows an error when loading fails, and can be retried', async () => {
    const api = stubApi({ [READ]: errorResponse('auth.required') })
    const { user } = renderComponent(<PersonalInfoPanel onSaved={() => {}} />)
    expect(screen.getByText('Loading your profile...')).toBeDefined()
    expect(await screen.findByText('Failed to load profile data')).toBeDefined()
    api.answer(READ, makeProfile())
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByLabelText(/^First name/)).toHaveProperty('value', 'Meredith')
  })
})

describe('editing', () => {
  test('saves changed fields with their previous values, and becomes read-only again', async () => {
    const { user, api, saved } = await edit()
    await retype(user, /^First name/, 'Meri')
    await user.type(screen.getByLabelText('Time zone'), '{Control>}a{/Control}kathm')
    await user.click(await screen.findByRole('option', { name: 'Kathmandu (Asia/Kathmandu)' }))
    api.answer(SAVE, makeProfile({ first_name: 'Meri', time_zone: 'Asia/Kathmandu' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Profile updated successfully!')).toBeDefined()
    expect(saved).toHaveBeenCalledOnce()
    const { first_name, time_zone } = makeProfile()
    expect(api.to(SAVE)[0]?.body).toEqual({
      first_name: 'Meri',
      time_zone: 'Asia/Kathmandu',
      was: { first_name, time_zone },
    })
    expect(screen.getByLabelText(/^First name/)).toMatchObject({ value: 'Meri', disabled: true })
  })

  test('cancelling restores the stored values', async () => {
    const { user, api } = await edit()
    await retype(user, /^Bio/, 'Something else')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByLabelText(/^Bio/)).toMatchObject({ value: 'Movement and back pain.', disabled: true })
    expect(api.to(SAVE)).toEqual([])
  })

  test.each([
    ['First name is required', /^First name/, '  '],
    ['Email is required', /^Email/, ' '],
    [PROBLEMS['auth.invalid_email'].title, /^Email/, 'meredith@'],
  ])('%s', async (sentence, label, typed) => {
    const { user, api } = await edit()
    await retype(user, label, typed)
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(sentence)).toBeDefined()
    expect(api.to(SAVE)).toEqual([])
  })

  test('a refusal shows the reason and keeps typed text', async () => {
    const { user, api } = await edit()
    await retype(user, /^Phone/, '12')
    api.answer(SAVE, errorResponse('server.unavailable'))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(
      await screen.findByText(/^Failed to update profile: The service is currently unavailable/),
    ).toBeDefined()
    expect(screen.getByLabelText(/^Phone/)).toMatchObject({ value: '12', disabled: false })
  })

  test('a double press saves once', async () => {
    const { user, api } = await edit()
    const held = heldResponse(makeProfile())
    api.answer(SAVE, held.answer)
    expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
    await retype(user, /^Bio/, 'Mine')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(await screen.findByRole('button', { name: 'Saving...' }))
    held.release()
    expect(await screen.findByText('Profile updated successfully!')).toBeDefined()
    expect(api.to(SAVE)).toHaveLength(1)
  })

  test('after a change in another window, shows it, keeps typed text, and saving again overwrites only the typed fields', async () => {
    const { user, api } = await edit()
    await retype(user, /^Bio/, 'Mine')
    const stale = [{ path: 'bio', message: 'This was changed in another window.' }]
    api.answer(SAVE, errorResponse('request.changed_meanwhile', stale))
    api.answer(READ, makeProfile({ bio: 'Theirs', phone: '+44 1' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(/^This was changed in another window\./)).toBeDefined()
    expect(screen.queryByText('Failed to update profile')).toBeNull()
    const told = screen.getAllByRole('definition')
    expect(told.map(({ textContent }) => textContent)).toEqual(['+44 1', 'Theirs'])
    expect(screen.getByLabelText(/^Bio/)).toHaveProperty('value', 'Mine')
    expect(screen.getByLabelText(/^Phone/)).toHaveProperty('value', '+44 1')
    api.answer(SAVE, makeProfile({ bio: 'Mine', phone: '+44 1' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Profile updated successfully!')).toBeDefined()
    expect(api.to(SAVE)[1]?.body).toEqual({ bio: 'Mine', was: { bio: 'Theirs' } })
    expect(screen.getByLabelText(/^Phone/)).toHaveProperty('value', '+44 1')
    expect(screen.queryByRole('button', { name: 'Use the saved version' })).toBeNull()
  })

  test('after a change in another window, the stored values can be accepted, or editing cancelled', async () => {
    const { user, api } = await edit()
    await retype(user, /^Bio/, 'Mine')
    api.answer(SAVE, errorResponse('request.changed_meanwhile'))
    api.answer(READ, makeProfile({ bio: 'Theirs' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await user.click(await screen.findByRole('button', { name: 'Use the saved version' }))
    expect(screen.getByLabelText(/^Bio/)).toMatchObject({ value: 'Theirs', disabled: false })
    await retype(user, /^Bio/, 'Mine')
    api.answer(READ, makeProfile({ bio: 'Theirs again' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('Theirs again')).toBeDefined()
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.queryByRole('button', { name: 'Use the saved version' })).toBeNull()
    expect(screen.getByLabelText(/^Bio/)).toMatchObject({ value: 'Theirs again', disabled: true })
  })

  test('typed text is kept for after a login, but no password', async () => {
    const { user, api } = await edit()
    await retype(user, /^Bio/, 'Half written')
    await retype(user, /^Email/, 'new@example.org')
    await enterText(user, screen.getByLabelText(/^Current password/), 'secret words')
    api.answer(SAVE, errorResponse('auth.required'))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    await screen.findByText(/^Failed to update profile/)
    expect(JSON.stringify(findDraft(`profile:${OWNER_ID}`))).not.toContain('secret words')
    cleanup()
    renderComponent(<PersonalInfoPanel onSaved={() => {}} />)
    expect(await screen.findByLabelText(/^Bio/)).toMatchObject({ value: 'Half written', disabled: false })
    expect(screen.getByLabelText(/^Email/)).toHaveProperty('value', 'new@example.org')
  })
})

describe('another address', () => {
  test('needs the password, and is pending until its link is opened', async () => {
    const { user, api } = await edit()
    expect(screen.queryByLabelText(/^Current password/)).toBeNull()
    await retype(user, /^Email/, 'New@example.org')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(PROBLEMS['account.password_required'].title)).toBeDefined()
    expect(api.to(SAVE)).toEqual([])
    await enterText(user, screen.getByLabelText(/^Current password/), 'secret words')
    api.answer(SAVE, makeProfile({ pending_email: 'new@example.org' }))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText('We’ve sent a link to new@example.org')).toBeDefined()
    expect(screen.getByText(/^Almost done: please open the link .* to new@example\.org\.$/)).toBeDefined()
    expect(api.to(SAVE)[0]?.body).toMatchObject({
      email: 'new@example.org',
      current_password: 'secret words',
    })
    expect(screen.getByLabelText(/^Email/)).toHaveProperty('value', 'meredith@example.org')
  })

  test('a wrong password is reported under its field', async () => {
    const { user, api } = await edit()
    await retype(user, /^Email/, 'new@example.org')
    await enterText(user, screen.getByLabelText(/^Current password/), 'wrong words')
    const message = PROBLEMS['account.wrong_password'].title
    api.answer(SAVE, errorResponse('account.wrong_password', [{ path: 'current_password', message }]))
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(await screen.findByText(message)).toBeDefined()
    expect(screen.getByLabelText(/^Current password/).getAttribute('aria-invalid')).toBe('true')
  })

  test('can be cancelled until its link is opened', async () => {
    const { user, api } = await open({ pending_email: 'new@example.org' })
    api.answer(KEEP_ADDRESS, errorResponse('server.unexpected'))
    await user.click(screen.getByRole('button', { name: 'Cancel change' }))
    expect(await screen.findByText(/^Failed to cancel the change: Something went wrong/)).toBeDefined()
    api.answer(KEEP_ADDRESS, undefined)
    await user.click(screen.getByRole('button', { name: 'Cancel change' }))
    expect(await screen.findByText('Your email address won’t change.')).toBeDefined()
    expect(screen.queryByText(/^We’ve sent a link/)).toBeNull()
  })
})

async function open(over: Partial<Profile> = {}) {
  const api = stubApi({ [READ]: makeProfile(over) })
  const saved = vi.fn()
  const { user } = renderComponent(<PersonalInfoPanel onSaved={saved} />)
  await screen.findByRole('button', { name: 'Edit Profile' })
  return { user, api, saved }
}

async function edit() {
  const opened = await open()
  await opened.user.click(screen.getByRole('button', { name: 'Edit Profile' }))
  return opened
}

async function retype(user: UserEvent, label: RegExp, text: string) {
  await user.clear(screen.getByLabelText(label))
  await enterText(user, screen.getByLabelText(label), text)
}
