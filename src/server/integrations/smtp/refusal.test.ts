import { expect, test } from 'vitest'
import { toMailRefusedError } from './adapter.ts'

test.each([
  ['RCPT TO', '550 5.1.1 <grace@example.com>: no such user'],
  ['RCPT TO', '552 mailbox is full for good'],
  ['DATA', '554 5.7.1 looks like spam'],
])('an answer to %s of “%s” is for good: it is about this recipient or this text', (command, response) => {
  expect(refusalOf(command, response)?.isFinal).toBe(true)
})

test.each([
  ['RCPT TO', '451 4.7.1 greylisted'],
  ['DATA', '452 4.3.1 no space left'],
  ['CONN', '554 5.7.1 you are on a list'],
  ['AUTH PLAIN', '535 5.7.8 wrong password'],
  ['MAIL FROM', '550 5.7.1 sender not allowed'],
  ['RCPT TO', '530 5.7.0 authentication required'],
  ['RCPT TO', '554 5.7.1 <grace@example.com>: Relay access denied'],
])(
  'an answer to %s of “%s” may be another one later: the server is busy, or the operator mends it',
  (command, response) => {
    expect(refusalOf(command, response)?.isFinal).toBe(false)
  },
)

test('what the server said is kept apart from what goes into logs', () => {
  const refusal = refusalOf('RCPT TO', '550 5.1.1 <grace@example.com>: no such user')
  expect(refusal?.words).toBe('5.1.1 <grace@example.com>: no such user')
  expect(refusal?.message).toBe('The mail server answered 550 to RCPT')
  expect(JSON.stringify({ ...refusal })).not.toContain('grace')
})

test('a failure without an answer is no refusal', () => {
  expect(
    toMailRefusedError(Object.assign(new Error('connect'), { code: 'ECONNREFUSED', command: 'CONN' })),
  ).toBeNull()
})

/** Builds an error as the library reports it. */
function refusalOf(command: string, response: string) {
  return toMailRefusedError(
    Object.assign(new Error(response), { command, response, responseCode: parseInt(response, 10) }),
  )
}
