import { Registry } from 'prom-client'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '#contract/shared/limits.ts'
import { parseBudgetAmounts } from '#core/shared/budgets.ts'
import { buildBudgets } from '#server/platform/budgets/budgets.ts'
import { expectRefusal } from '#tests/support/expect-refusal.ts'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { PRODUCTION_SETTINGS } from '#tests/support/meridian.ts'
import { toPseudonym } from '#tests/support/to-pseudonym.ts'
import { sendContactMessage } from './use-cases.ts'

/** The throttle counts per client address, so each test uses its own. */
let clients = 0

setUpMeridian({
  env: { ...PRODUCTION_SETTINGS, OPERATOR_NAME: 'Harbour Software', OPERATOR_EMAIL: 'desk@harbour.example' },
})

const MESSAGE = { name: 'Alex Morgan', email: 'alex@mail.example', message: 'Can you help me?' }

test('a message reaches the operator by mail, and nothing of it is stored', async () => {
  const answer = await send({ ...MESSAGE, subject: 'An export' })
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  const mail = await meridian.waitForMail(({ subject }) => subject === 'Message from Alex Morgan: An export')
  expect(mail.to).toEqual({ name: 'Harbour Software', address: 'desk@harbour.example' })
  expect(mail.replyTo).toEqual({ name: 'Alex Morgan', address: 'alex@mail.example' })
  expect(mail.text).toContain('Can you help me?')
  expect(meridian.logLines.join('\n')).not.toMatch(/Alex Morgan|alex@mail|help me/)
})

describe('what is missing, malformed or too long is refused in a sentence:', () => {
  test.each([
    ['no name', { name: ' ' }, 'contact.name_required', 'name'],
    ['no address', { email: undefined }, 'contact.email_required', 'email'],
    ['a malformed address', { email: 'alex' }, 'auth.invalid_email', 'email'],
    ['two addresses', { email: 'a@mail.example,b@mail.example' }, 'auth.invalid_email', 'email'],
    ['no message', { message: '\n \n' }, 'contact.message_required', 'message'],
    ['a long name', { name: 'x'.repeat(LIMITS.personName + 1) }, 'request.invalid', 'name'],
    ['a long subject', { subject: 'x'.repeat(LIMITS.contactSubject + 1) }, 'request.invalid', 'subject'],
    ['a long message', { message: 'x'.repeat(LIMITS.contactMessage + 1) }, 'request.invalid', 'message'],
    ['a header in the name', { name: 'Al\r\nBcc: b@evil.example' }, 'request.invalid', 'name'],
    ['a header in the subject', { subject: 'Hi\nBcc: b@evil.example' }, 'request.invalid', 'subject'],
    [
      'a header in the address',
      { email: 'a@mail.example\r\nBcc: b@evil.example' },
      'request.invalid',
      'email',
    ],
  ] as const)('%s', async (_what, changes, code, path) => {
    const answer = await send({ ...MESSAGE, ...changes })
    expectRefusal(answer, code)
    expect(answer.json().errors).toEqual([{ path, message: expect.stringMatching(/^[A-Z].*\.$|^Please/) }])
  })
})

test('a program that fills in the field nobody sees is answered like everybody, and not heard', async () => {
  const answer = await send({ ...MESSAGE, subject: 'Casino', website: 'https://casino.example' })
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  await send({ ...MESSAGE, subject: 'After it' })
  await meridian.waitForMail(({ subject }) => subject.endsWith('After it'))
  expect(meridian.mails.filter(({ subject }) => subject.includes('Casino'))).toEqual([])
})

test('one client address sends ten messages an hour and is told so, whatever a header says', async () => {
  const remoteAddress = newClient()
  const headers = { 'x-forwarded-for': '203.0.113.9' }
  // Messages that are not forwarded also count towards the limit.
  for (let count = 0; count < LIMITS.contactMessagesPerHour; count += 1)
    expect(
      (await send({ ...MESSAGE, website: 'https://casino.example' }, { remoteAddress })).statusCode,
    ).toBe(204)
  const refused = await send(MESSAGE, { remoteAddress, headers })
  expectRefusal(refused, 'contact.too_many')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
  expect((await send(MESSAGE)).statusCode).toBe(204)
})

test('more messages in a day than an operator can read are refused, from whomever they come', async () => {
  const { db, jobs, operatorMailbox } = meridian.deps
  const now = () => meridian.clock.ms
  const { amounts } = parseBudgetAmounts('contact_messages=2')
  const log = { warn: () => {} }
  const budgets = buildBudgets({ db, now, log, amounts, metrics: new Registry(), toPseudonym })
  const write = () => sendContactMessage({ db, jobs, budgets, operatorMailbox }, { ...MESSAGE, subject: '' })
  // The tests before this one have used up the limit.
  const refusal = { code: 'contact.too_many_today', retryAfterSeconds: 24 * 60 * 60 }
  await expect(write()).rejects.toMatchObject(refusal)
  meridian.clock.ms += 24 * 60 * 60_000
  for (let i = 0; i < 2; i += 1) await write()
  await expect(write()).rejects.toMatchObject(refusal)
})

test('a whole /48 sends three times as many, however many of its 65,536 networks they come from', async () => {
  const remoteAddress = (i: number) => `2001:db8:1:${i.toString(16)}::1`
  const filledIn = { ...MESSAGE, website: 'https://casino.example' }
  const allowed = 3 * LIMITS.contactMessagesPerHour
  for (let i = 0; i < allowed; i += 1)
    expect((await send(filledIn, { remoteAddress: remoteAddress(i) })).statusCode).toBe(204)
  const refused = await send(MESSAGE, { remoteAddress: remoteAddress(allowed) })
  expectRefusal(refused, 'contact.too_many')
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(3000)
  expect((await send(filledIn, { remoteAddress: '2001:db8:2::1' })).statusCode).toBe(204)
})

function send(
  payload: Record<string, unknown>,
  from: { remoteAddress?: string; headers?: Record<string, string> } = {},
) {
  const url = '/api/public/contact-messages'
  return meridian.request({ method: 'POST', url, payload, remoteAddress: newClient(), ...from })
}

function newClient(): string {
  clients += 1
  return `198.51.100.${clients}`
}
