import { expect, test } from 'vitest'
import { toGraphError } from './graph-errors.ts'

test.each([
  [400, true, 'event_refused'],
  [413, true, 'event_refused'],
  // This error is not about the event's content, although the request was a write.
  [405, true, 'refused'],
  [400, false, 'refused'],
] as const)('%i, to a write: %s, is %s', (status, isWrite, kind) => {
  const answer = { status, headers: new Headers(), body: null }
  expect(toGraphError(answer, { hasCursor: false, isWrite, nowMs: 0 })).toMatchObject({ kind })
})

test.each([400, 409])(
  'a number that was used already (%i) is a conflict, not an event that is refused',
  (status) => {
    const body = { error: { code: 'ErrorDuplicateTransactionId', message: 'used' } }
    const answer = { status, headers: new Headers(), body }
    expect(toGraphError(answer, { hasCursor: false, isWrite: true, nowMs: 0 })).toMatchObject({
      kind: 'conflict',
    })
  },
)
