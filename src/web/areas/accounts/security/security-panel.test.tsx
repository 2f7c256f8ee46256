// @vitest-environment happy-dom

import { screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type { AccountSession, TwoFactorSetup } from '#contract/accounts/security.ts'
import { PROBLEMS } from '#contract/shared/problem.ts'
import { enterText } from '#web/testing/enter-text.ts'
import { makeOwner } from '#web/testing/make-records.ts'
import { renderComponent } from '#web/testing/render-part.tsx'
import { errorResponse, heldResponse, stubApi } from '#web/testing/stub-api.ts'
import { SecurityPanel } from './security-panel.tsx'

const PASSWORD = 'POST /api/security/password'
const SESSIONS = 'GET /api/security/sessions'
const SIGN_OUT_OTHERS = 'DELETE /api/security/sessions'
const OPERATOR_ACTIONS = 'GET /api/security/operator-actions'
const TWO_FACTOR = 'GET /api/security/two-factor'
const START = 'POST /api/security/two-factor'
const CONFIRM = 'POST /api/security/two-factor/confirmation'
const REMOVE = 'POST /api/security/two-factor/removal'
const NEW_CODES = 'POST /api/security/two-factor/backup-codes'

const LAPTOP = makeSession({ current: true })
const PHONE = makeSession({ id: '00000000-0000-4000-8000-000000000902', browser: 'Safari', system: 'iPhone' })
const OFF = { enabled: false, backup_codes_left: null }
const ON = { enabled: true, backup_codes_left: 10 }
const SETUP: TwoFactorSetup = {
  uri: 'otpauth://totp/Meridian:meredith@example.org?secret=JBSWY3DPEHPK3PXP&issuer=Meridian',
  secret: 'JBSWY3DPEHPK3PXP',
  backup_codes: Array.from({ length: 10 }, (_, i) => `aaaa${i}-bbbb${i}`),
}
const WRONG_PASSWORD = PROBLEMS['account.wrong_password'].title
const WRONG_CODE = PROBLEMS['account.wrong_code'].title
const OFFLINE = 'You’re offline. Check your connection and try again.'

describe('the password', () => {
  test('is changed, other devices are signed out, and the form is cleared', async () => {
    const { api, user } = await renderPanel({ [PASSWORD]: undefined })
    await fillPassword(user)
    api.answer(SESSIONS, { sessions: [LAPTOP] })
    await user.click(screen.getByRole('button', { name: 'Change password' }))
    await screen.findByText('Password changed successfully!')
    expect(api.to(PASSWORD)[0]?.body).toEqual({
      current_password: 'old password',
      new_password: 'new password',
      sign_out_others: true,
    })
    expect(screen.getByLabelText(/^Current password/)).toHaveProperty('value', '')
    await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
  })

  test('can leave the other devices signed in', async () => {
    const { api, user } = await renderPanel({ [PASSWORD]: undefined })
    await fillPassword(user)
    await user.click(screen.getByRole('switch', { name: 'Sign out my other devices' }))
    await user.click(screen.getByRole('button', { name: 'Change password' }))
    await screen.findByText('Password changed successfully!')
    expect(api.to(PASSWORD)[0]?.body).toMatchObject({ sign_out_others: false })
  })

  test('is reported under its field when it is missing, too short or differs', async () => {
    const { api, user } = await renderPanel({})
    await enterText(user, screen.getByLabelText(/^New password/), 'short')
    await enterText(user, screen.getByLabelText(/^Confirm new password/), 'shorter')
    await user.click(screen.getByRole('button', { name: 'Change password' }))
    await screen.findByText('Passwords do not match!')
    expect(screen.getByText(PROBLEMS['auth.password_too_short'].title)).toBeDefined()
    expect(screen.getByText('Please enter your password')).toBeDefined()
    expect(api.to(PASSWORD)).toEqual([])
  })

  test('a wrong one is reported under its field, and typed text is kept', async () => {
    const { user } = await renderPanel({
      [PASSWORD]: errorResponse('account.wrong_password', [
        { path: 'current_password', message: WRONG_PASSWORD },
      ]),
    })
    await fillPassword(user)
    await user.click(screen.getByRole('button', { name: 'Change password' }))
    await screen.findByText(WRONG_PASSWORD)
    const field = screen.getByLabelText(/^Current password/)
    expect([field.getAttribute('aria-invalid'), field]).toEqual(['true', document.activeElement])
    expect(screen.getByLabelText(/^New password/)).toHaveProperty('value', 'new password')
  })

  test.each([
    ['without a connection', undefined, OFFLINE],
    ['after too many attempts', 'request.too_many', PROBLEMS['request.too_many'].title],
  ] as const)('is not changed %s, and the form shows why', async (_case, code, sentence) => {
    const { user } = await renderPanel(code === undefined ? {} : { [PASSWORD]: errorResponse(code) })
    await fillPassword(user)
    await user.click(screen.getByRole('button', { name: 'Change password' }))
    expect((await screen.findByText(sentence)).closest('[role="alert"]')).not.toBeNull()
    expect(screen.getByLabelText(/^Current password/)).toHaveProperty('value', 'old password')
  })

  test('a double press sends one request', async () => {
    const held = heldResponse(undefined)
    const { api, user } = await renderPanel({ [PASSWORD]: held.answer })
    await fillPassword(user)
    await user.dblClick(screen.getByRole('button', { name: 'Change password' }))
    await user.click(await screen.findByRole('button', { name: 'Changing...' }))
    held.release()
    await screen.findByText('Password changed successfully!')
    expect(api.to(PASSWORD)).toHaveLength(1)
  })
})

describe('the devices', () => {
  test('show their last use and address; the present one has no button', async () => {
    await renderPanel({})
    const [laptop, phone] = screen.getAllByRole('listitem')
    expect(laptop?.textContent).toMatch(/^Firefox on Windows.*This device.*In use now.*203\.0\.113\.7/)
    expect(phone?.textContent).toMatch(/^Safari on iPhone.*Last used Dec \d+, 2026, \d+:\d\d [AP]M/)
    expect(within(laptop as HTMLElement).queryByRole('button')).toBeNull()
  })

  test('a device without a known browser is called unknown', async () => {
    await renderPanel({
      [SESSIONS]: { sessions: [makeSession({ browser: null, system: null, ip_address: null })] },
    })
    expect(await screen.findByText('Unknown device')).toBeDefined()
  })

  test('equal names are numbered by first login, each with its own button', async () => {
    const [first, second, third] = ['901', '903', '904'].map((end, hour) =>
      makeSession({
        id: `00000000-0000-4000-8000-000000000${end}`,
        created_at: `2026-12-01T0${hour}:00:00Z`,
      }),
    )
    const path = `DELETE /api/security/sessions/${second?.id}`
    const { user } = await renderPanel({
      [path]: undefined,
      [SESSIONS]: { sessions: [third, PHONE, second, first] },
    })
    expect(
      screen
        .getAllByRole('button', { name: /^Sign out .* on / })
        .map((button) => button.getAttribute('aria-label')),
    ).toEqual([
      'Sign out Firefox on Windows (3)',
      'Sign out Safari on iPhone',
      'Sign out Firefox on Windows (2)',
      'Sign out Firefox on Windows (1)',
    ])
    await user.click(screen.getByRole('button', { name: 'Sign out Firefox on Windows (2)' }))
    await screen.findByText('Firefox on Windows (2) was signed out')
  })

  test('are signed out one by one', async () => {
    const path = `DELETE /api/security/sessions/${PHONE.id}`
    const held = heldResponse(undefined)
    const { api, user } = await renderPanel({ [path]: held.answer })
    api.answer(SESSIONS, { sessions: [LAPTOP] })
    await user.dblClick(screen.getByRole('button', { name: 'Sign out Safari on iPhone' }))
    held.release()
    await screen.findByText('Safari on iPhone was signed out')
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1))
    expect(api.to(path)).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Sign out all other devices' })).toBeNull()
  })

  test('devices signed out in another window leave the list, with a message', async () => {
    const path = `DELETE /api/security/sessions/${PHONE.id}`
    const { api, user } = await renderPanel({ [path]: errorResponse('account.session_not_found') })
    api.answer(SESSIONS, { sessions: [LAPTOP] })
    await user.click(screen.getByRole('button', { name: 'Sign out Safari on iPhone' }))
    await screen.findByText(PROBLEMS['account.session_not_found'].title)
    await waitFor(() => expect(screen.queryByText('Safari on iPhone')).toBeNull())
  })

  test.each([
    [1, '1 device was signed out'],
    [3, '3 devices were signed out'],
  ])('all others are signed out after a confirmation: %i', async (signed_out, sentence) => {
    const held = heldResponse({ signed_out })
    const { api, user } = await renderPanel({ [SIGN_OUT_OTHERS]: held.answer })
    await user.click(screen.getByRole('button', { name: 'Sign out all other devices' }))
    await user.dblClick(await screen.findByRole('button', { name: 'Sign out others' }))
    held.release()
    await screen.findByText(sentence)
    await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull())
    expect(api.to(SIGN_OUT_OTHERS)).toHaveLength(1)
  })

  test('stay when the dialog is cancelled or the request fails', async () => {
    const { api, user } = await renderPanel({})
    await user.click(screen.getByRole('button', { name: 'Sign out all other devices' }))
    await user.click(await screen.findByRole('button', { name: 'Cancel' }))
    expect(api.to(SIGN_OUT_OTHERS)).toEqual([])
    await user.click(screen.getByRole('button', { name: 'Sign out all other devices' }))
    await user.click(await screen.findByRole('button', { name: 'Sign out others' }))
    await screen.findByText(OFFLINE)
    expect(screen.getByRole('alertdialog')).toBeDefined()
  })

  test('a failed load can be retried', async () => {
    const api = stubApi({
      [OPERATOR_ACTIONS]: { actions: [] },
      [SESSIONS]: errorResponse('server.unavailable'),
      [TWO_FACTOR]: OFF,
    })
    const { user } = renderComponent(<SecurityPanel owner={makeOwner()} />)
    await screen.findByText('Failed to load your devices', {}, { timeout: 10_000 })
    api.answer(SESSIONS, { sessions: [LAPTOP] })
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('Firefox on Windows')
  })
})

describe('the second factor', () => {
  test('is turned on with the password and a first code, which is sent when complete', async () => {
    const { api, user } = await renderPanel({ [START]: SETUP, [CONFIRM]: ON })
    await openSetup(user)
    expect(api.to(START)[0]?.body).toEqual({ password: 'my password' })
    expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeDefined()
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP')).toBeDefined()
    api.answer(TWO_FACTOR, ON)
    await user.click(screen.getByLabelText(/^Enter the current code/))
    await user.paste('123 456')
    await screen.findByRole('heading', { name: 'Save your backup codes' })
    expect(api.to(CONFIRM).map(({ body }) => body)).toEqual([{ code: '123 456' }])
    expect(screen.getByText('Two-factor authentication is on')).toBeDefined()

    const codes = within(screen.getByRole('list', { name: 'Backup codes' })).getAllByRole('listitem')
    expect(codes.map(({ textContent }) => textContent)).toEqual(SETUP.backup_codes)
    const download = screen.getByRole('link', { name: 'Download' })
    expect(download.getAttribute('download')).toBe('meridian-backup-codes.txt')
    expect(decodeURIComponent(download.getAttribute('href') ?? '')).toContain(SETUP.backup_codes.join('\n'))
    await user.click(screen.getByRole('button', { name: 'Copy backup codes' }))
    await screen.findByText('Copied to clipboard!')
    expect(await navigator.clipboard.readText()).toBe(SETUP.backup_codes.join('\n'))
    await user.click(screen.getByRole('checkbox', { name: 'I’ve saved these codes' }))
    await user.click(screen.getByRole('button', { name: 'Done' }))
    expect(await screen.findByText('You have 10 backup codes left.')).toBeDefined()
  })

  test('shows its backup codes until the owner confirms that they are saved', async () => {
    const { user } = await renderPanel({ [START]: SETUP, [CONFIRM]: ON })
    await openSetup(user)
    await enterText(user, await screen.findByLabelText(/^Enter the current code/), '123456')
    await screen.findByRole('heading', { name: 'Save your backup codes' })
    await user.keyboard('{Escape}')
    await user.click(document.body)
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Done' }))
    expect(screen.getByRole('list', { name: 'Backup codes' })).toBeDefined()
    await user.click(screen.getByRole('checkbox', { name: 'I’ve saved these codes' }))
    await user.click(screen.getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  test('a double press starts once, because a second secret would replace the first', async () => {
    const held = heldResponse(SETUP)
    const { api, user } = await renderPanel({ [START]: held.answer })
    await openSetup(user, (button) => user.dblClick(button))
    held.release()
    await screen.findByText('JBSW Y3DP EHPK 3PXP')
    expect(api.to(START)).toHaveLength(1)
  })

  test('reports a wrong password or code', async () => {
    const { api, user } = await renderPanel({
      [START]: errorResponse('account.wrong_password', [{ path: 'password', message: WRONG_PASSWORD }]),
      [CONFIRM]: errorResponse('account.wrong_code', [{ path: 'code', message: WRONG_CODE }]),
    })
    await openSetup(user)
    await screen.findByText(WRONG_PASSWORD)
    api.answer(START, SETUP)
    await user.click(screen.getByRole('button', { name: 'Continue' }))
    await enterText(user, await screen.findByLabelText(/^Enter the current code/), '000000')
    await screen.findByText(WRONG_CODE)
    await user.clear(screen.getByLabelText(/^Enter the current code/))
    await user.click(screen.getByRole('button', { name: 'Turn on' }))
    await screen.findByText(PROBLEMS['account.code_required'].title)
    expect(api.to(CONFIRM)).toHaveLength(1)
  })

  test('shows that another window has turned it on', async () => {
    const { api, user } = await renderPanel({ [START]: errorResponse('account.two_factor_on') })
    api.answer(TWO_FACTOR, ON)
    await openSetup(user)
    await screen.findByText(PROBLEMS['account.two_factor_on'].title)
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(await screen.findByRole('button', { name: 'Turn off' })).toBeDefined()
  })

  test('must be restarted if another window has restarted it', async () => {
    const { user } = await renderPanel({ [START]: SETUP, [CONFIRM]: errorResponse('account.two_factor_off') })
    await openSetup(user)
    await enterText(user, await screen.findByLabelText(/^Enter the current code/), '123456')
    await screen.findByText(PROBLEMS['account.two_factor_off'].title)
  })

  test('is turned off with password and code', async () => {
    const { api, user } = await renderPanel({
      [TWO_FACTOR]: ON,
      [REMOVE]: errorResponse('account.wrong_code', [{ path: 'code', message: WRONG_CODE }]),
    })
    await user.click(await screen.findByRole('button', { name: 'Turn off' }))
    const dialog = await fillProof(user)
    await user.click(dialog.getByRole('button', { name: 'Turn off' }))
    await screen.findByText(WRONG_CODE)
    const held = heldResponse(OFF)
    api.answer(REMOVE, held.answer)
    await user.dblClick(dialog.getByRole('button', { name: 'Turn off' }))
    held.release()
    await screen.findByText('Two-factor authentication is off')
    expect(api.to(REMOVE).map(({ body }) => body)).toEqual(
      Array(2).fill({ password: 'my password', code: '123456' }),
    )
    expect(await screen.findByRole('button', { name: 'Turn on' })).toBeDefined()
  })

  test('shows how long it is locked after too many wrong codes', async () => {
    const { user } = await renderPanel({ [TWO_FACTOR]: ON, [REMOVE]: errorResponse('account.code_locked') })
    await user.click(await screen.findByRole('button', { name: 'Turn off' }))
    const dialog = await fillProof(user)
    await user.click(dialog.getByRole('button', { name: 'Turn off' }))
    await screen.findByText(PROBLEMS['account.code_locked'].title)
  })

  test.each([
    [3, 'You have 3 backup codes left. Create new ones before you need them.'],
    [1, 'You have 1 backup code left. Create new ones before you need them.'],
    [0, 'You have no backup codes left. Create new ones before you need them.'],
  ])('warns when there are %i backup codes left, and makes new ones', async (left, sentence) => {
    const { api, user } = await renderPanel({
      [TWO_FACTOR]: { enabled: true, backup_codes_left: left },
      [NEW_CODES]: { backup_codes: SETUP.backup_codes },
    })
    await screen.findByText(sentence)
    api.answer(TWO_FACTOR, ON)
    await user.click(screen.getByRole('button', { name: 'New backup codes' }))
    const dialog = await fillProof(user)
    await user.click(dialog.getByRole('button', { name: 'Create new codes' }))
    await screen.findByRole('list', { name: 'Backup codes' })
    await user.click(screen.getByRole('checkbox', { name: 'I’ve saved these codes' }))
    await user.click(screen.getByRole('button', { name: 'Done' }))
    expect(await screen.findByText('You have 10 backup codes left.')).toBeDefined()
  })

  test('a failed load can be retried', async () => {
    const api = stubApi({
      [OPERATOR_ACTIONS]: { actions: [] },
      [SESSIONS]: { sessions: [LAPTOP] },
      [TWO_FACTOR]: errorResponse('server.unavailable'),
    })
    const { user } = renderComponent(<SecurityPanel owner={makeOwner()} />)
    await screen.findByText('Failed to load two-factor authentication', {}, { timeout: 10_000 })
    api.answer(TWO_FACTOR, ON)
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    await screen.findByText('You have 10 backup codes left.')
  })
})

describe('what the operator of the site did', () => {
  const at = '2026-12-01T09:30:00.000Z'
  const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

  test('is listed in words, the latest first', async () => {
    const actions = [
      { id: id(1), at, action: 'second_factor_removed', detail: null },
      { id: id(2), at, action: 'plan_given', detail: 'business' },
      { id: id(3), at, action: 'emails_sent_again', detail: '3' },
    ]
    await renderPanel({ [OPERATOR_ACTIONS]: { actions } })
    const card = within(
      (await screen.findByRole('heading', { name: 'Site operator' })).closest('section') as HTMLElement,
    )
    expect(card.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Turned two-factor authentication offDec 1, 2026, /),
      expect.stringMatching(/^Gave you the Business plan/),
      expect.stringMatching(/^Sent failed emails again: 3/),
    ])
  })

  test('is not mentioned where there is nothing', async () => {
    await renderPanel({})
    expect(screen.queryByRole('heading', { name: 'Site operator' })).toBeNull()
  })
})

async function renderPanel(answers: Record<string, unknown>) {
  const api = stubApi({
    [OPERATOR_ACTIONS]: { actions: [] },
    [SESSIONS]: { sessions: [LAPTOP, PHONE] },
    [TWO_FACTOR]: OFF,
    ...answers,
  })
  const { user } = renderComponent(<SecurityPanel owner={makeOwner()} />)
  await screen.findAllByRole('listitem')
  return { api, user }
}

async function fillPassword(user: UserEvent): Promise<void> {
  await enterText(user, screen.getByLabelText(/^Current password/), 'old password')
  await enterText(user, screen.getByLabelText(/^New password/), 'new password')
  await enterText(user, screen.getByLabelText(/^Confirm new password/), 'new password')
}

async function openSetup(
  user: UserEvent,
  press = (button: HTMLElement) => user.click(button),
): Promise<void> {
  await user.click(await screen.findByRole('button', { name: 'Turn on' }))
  await enterText(user, within(await screen.findByRole('dialog')).getByLabelText(/^Password/), 'my password')
  await press(screen.getByRole('button', { name: 'Continue' }))
}

async function fillProof(user: UserEvent) {
  const dialog = within(await screen.findByRole('dialog'))
  await enterText(user, dialog.getByLabelText(/^Password/), 'my password')
  await enterText(user, dialog.getByLabelText(/^Code/), '123456')
  return dialog
}

function makeSession(over: Partial<AccountSession> = {}): AccountSession {
  return {
    id: '00000000-0000-4000-8000-000000000901',
    browser: 'Firefox',
    system: 'Windows',
    ip_address: '203.0.113.7',
    created_at: '2026-12-01T09:12:00Z',
    last_used_at: '2026-12-02T12:30:00Z',
    current: false,
    ...over,
  }
}
