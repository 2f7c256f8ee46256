import { expect, test } from 'vitest'
import { MailRefusedError } from '#server/ports/mailer.ts'
import { describeFailure } from './describe-failure.ts'

test.each([
  ['5.1.1 <grace@example.com>: no such user', ': 5.1.1 … no such user'],
  ['Client host [198.51.100.7] is on a list', ': Client host […] is on a list'],
  ['not from 2001:db8::25:1, please', ': not from …, please'],
  ['one\r\n550-two\tthree', ': one 550-two three'],
  ['', ''],
])('the owner reads what the server said (%j) without addresses, in one line', (words, read) => {
  expect(describeFailure(refusal(words))).toBe(`The mail server rejected this address (550)${read}`)
})

test('a long answer is cut to what the ledger keeps', () => {
  expect(describeFailure(refusal('no '.repeat(200)))).toHaveLength(200)
})

test.each([
  [{ code: 'ECONNREFUSED' }, 'We couldn’t reach the mail server'],
  [{ name: 'AbortError' }, 'The mail server didn’t respond in time'],
  [{ code: 'EWHATEVER' }, 'The mail server didn’t accept the message'],
])('%j reads as “%s”, and nothing of the operator’s machines', (properties, sentence) => {
  expect(describeFailure(Object.assign(new Error('connect 10.0.0.5:25'), properties))).toBe(sentence)
})

test.each([
  'self-signed certificate',
  'Error initiating TLS - unable to verify the first certificate',
  'certificate has expired',
  "Hostname/IP does not match certificate's altnames: Host: 10.0.0.5.",
])('%j reads as a certificate that is not trusted', (message) => {
  const error = Object.assign(new Error(message), { code: 'ESOCKET' })
  expect(describeFailure(error)).toBe('The mail server’s certificate isn’t trusted')
})

function refusal(words: string): MailRefusedError {
  return new MailRefusedError({ code: 550, command: 'RCPT', words, isFinal: true })
}
