import { describe, expect, test } from 'vitest'
import { MAIL_ORIGIN } from '#tests/support/appointment-mail-facts.ts'
import {
  buildAccountDeleted,
  buildAccountNotice,
  buildAddressChange,
  buildAddressChanged,
  buildAddressChangeNotice,
  buildAddressChangeTaken,
  buildAddressConfirmation,
  buildAlreadyRegistered,
  buildPasswordReset,
} from './account-mail.ts'

const to = { name: 'Meredith Grey', address: 'meredith@clinic.example' }
const confirmUrl = 'https://book.example/auth/callback?token=abc&x=1'
const resetUrl = 'https://book.example/reset-password?token=abc'

describe('the confirmation of an address', () => {
  test('leads to the callback by a button and by an address to copy', async () => {
    const mail = await buildAddressConfirmation({ to, url: confirmUrl }, MAIL_ORIGIN)
    expect(mail.subject).toBe('Confirm your email address')
    expect(mail.from).toEqual(MAIL_ORIGIN.from)
    expect(mail.to).toEqual(to)
    expect(mail.replyTo).toBeNull()
    expect(mail.text).toContain('Hello Meredith Grey,')
    expect(mail.text).toContain(`Confirm email address:\n${confirmUrl}\n`)
    expect(
      mail.html.match(/href="https:\/\/book\.example\/auth\/callback\?token=abc&amp;x=1"/g),
    ).toHaveLength(2)
    expect(mail.attachments).toEqual([])
    expect(mail.headers['Auto-Submitted']).toBe('auto-generated')
  })
})

describe('the message that an account exists already', () => {
  test('offers to log in or to choose a new password, and says that nothing changed', async () => {
    const urls = { loginUrl: 'https://book.example/login', resetUrl: 'https://book.example/forgot-password' }
    const mail = await buildAlreadyRegistered({ to, ...urls }, MAIL_ORIGIN)
    expect(mail.subject).toBe('You already have an account')
    expect(mail.text).toContain('It already has an account, so nothing has changed.')
    for (const url of Object.values(urls)) {
      expect(mail.text).toContain(`\n${url}\n`)
      expect(mail.html).toContain(`href="${url}"`)
    }
  })
})

describe('the password reset', () => {
  test('leads to the page for a new password and says what to do when it was not you', async () => {
    const mail = await buildPasswordReset({ to, url: resetUrl }, MAIL_ORIGIN)
    expect(mail.subject).toBe('Reset your password')
    expect(mail.text).toContain(`Choose a new password:\n${resetUrl}\n`)
    expect(mail.text).toContain("Wasn't it you? You can ignore this email.")
  })
})

describe('another address', () => {
  const newEmail = 'meredith@new.example'

  test('the new one gets the link, by a button and spelled out', async () => {
    const url = 'https://book.example/auth/email-change?token=abc'
    const mail = await buildAddressChange({ to, url }, MAIL_ORIGIN)
    expect(mail.subject).toBe('Confirm your new email address')
    expect(mail.text).toContain(`Confirm new address:\n${url}\n`)
    expect(mail.text).toContain('Until then, log in with your current address.')
  })

  test('the present one reads which it is and how to stop it', async () => {
    const urls = { newEmail, resetUrl: 'https://book.example/forgot-password' }
    const mail = await buildAddressChangeNotice({ to, ...urls }, MAIL_ORIGIN)
    expect(mail.subject).toBe('Your email address is about to change')
    expect(mail.text).toContain(newEmail)
    expect(mail.html).toContain(`href="${urls.resetUrl}"`)
  })

  test('the owner of one that is taken reads that nothing has changed', async () => {
    const mail = await buildAddressChangeTaken({ to, loginUrl: 'https://book.example/login' }, MAIL_ORIGIN)
    expect(mail.subject).toBe('This address already has an account')
    expect(mail.text).toContain('so nothing has changed.')
  })

  test('the one it was until now is told that it was changed', async () => {
    const mail = await buildAddressChanged({ to, newEmail }, MAIL_ORIGIN)
    expect(mail.subject).toBe('Your email address was changed')
    expect(mail.text).toContain(`now uses ${newEmail}.`)
  })
})

test('whoever deleted their account reads what is kept, and is promised no silence', async () => {
  const mail = await buildAccountDeleted({ to }, MAIL_ORIGIN)
  expect(mail.subject).toBe('Your account is deleted')
  expect(mail.text).toContain('along with your calendars, customers and appointments')
  expect(mail.text).toContain('We keep payment records for accounting.')
  expect(mail.text).toContain('can’t reach one of these customers by email, we’ll write to you once more')
  expect(mail.text).not.toContain('last message')
  expect(mail.text).not.toContain('plan')
  const withPlan = await buildAccountDeleted({ to, hadPlan: true }, MAIL_ORIGIN)
  expect(withPlan.text).toContain('Your plan has ended, too. You won’t be charged again')
})

describe('the notice of what happened to an account', () => {
  test.each([
    ['password_changed', 'Your password was changed', 'The password of your Meridian account was changed.'],
    ['two_factor_on', 'Two-factor authentication is on', 'also needs a code from your authenticator app'],
    ['two_factor_off', 'Two-factor authentication is off', 'account now needs only your password'],
    ['backup_codes_replaced', 'Your backup codes were replaced', 'The old ones no longer work.'],
  ] as const)('%s says so and what to do when it was not you', async (notice, subject, sentence) => {
    const urls = {
      securityUrl: 'https://book.example/profile?tab=security',
      resetUrl: 'https://book.example/forgot-password',
    }
    const mail = await buildAccountNotice({ to, notice, ...urls }, MAIL_ORIGIN)
    expect(mail.subject).toBe(subject)
    expect(mail.text).toContain(sentence)
    expect(mail.text).toContain("Wasn't it you? Choose a new password now")
    for (const url of Object.values(urls)) expect(mail.text).toContain(url)
  })
})

test('each message has a Message-ID of its own, unless its job gives it one to repeat', async () => {
  const fresh = await Promise.all([1, 2].map(() => buildPasswordReset({ to, url: resetUrl }, MAIL_ORIGIN)))
  expect(fresh[0]?.messageId).toMatch(/^<[0-9a-f-]{36}\.password-reset@book\.example>$/)
  expect(fresh[0]?.messageId).not.toBe(fresh[1]?.messageId)
  const repeated = await buildPasswordReset({ to, url: resetUrl, deliveryId: 'job-1' }, MAIL_ORIGIN)
  expect(repeated.messageId).toBe('<job-1.password-reset@book.example>')
})

test('a name that advertises is not carried to a stranger', async () => {
  const mail = await buildAddressConfirmation(
    { to: { name: 'Win now at casino.example', address: 'victim@mail.example' }, url: confirmUrl },
    MAIL_ORIGIN,
  )
  expect(mail.text).not.toContain('casino')
  expect(mail.html).not.toContain('casino')
  expect(mail.to.name).not.toContain('casino')
})

test('markup in a name is text', async () => {
  const mail = await buildAddressConfirmation(
    { to: { ...to, name: '<b>Mer</b>' }, url: confirmUrl },
    MAIL_ORIGIN,
  )
  expect(mail.html).toContain('Hello &lt;b&gt;Mer&lt;/b&gt;,')
})
