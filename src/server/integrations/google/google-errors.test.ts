import { expect, test } from 'vitest'
import { toCalendarError } from './google-errors.ts'

test.each([
  [400, 'invalid', true, 'event_refused'],
  [413, '', true, 'event_refused'],
  // This error is not about the event's content, although the request was a write.
  [403, 'accessNotConfigured', true, 'refused'],
  [405, '', true, 'refused'],
  [400, 'invalid', false, 'refused'],
] as const)('%i %s, to a write: %s, is %s', (status, reason, isWrite, kind) => {
  const data = { error: { errors: [{ reason }] } }
  const error = Object.assign(new Error(''), {
    config: {},
    response: { status, headers: new Headers(), data },
  })
  expect(toCalendarError(error, Date.now, { hasCursor: false, isWrite })).toMatchObject({ kind })
})
