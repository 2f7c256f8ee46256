import { expect, test } from 'vitest'
import { toWriteResponseError } from './response-errors.ts'

test.each([
  [413, '', 'event_refused'],
  [403, '<error xmlns:C="urn:ietf:params:xml:ns:caldav"><C:valid-calendar-data/></error>', 'event_refused'],
  [403, '<error><need-privileges/></error>', 'forbidden'],
  // This response comes from a proxy in between.
  [400, '', 'refused'],
  [405, '', 'refused'],
] as const)('%i with “%s”, to a write, is %s', (status, text, kind) => {
  expect(toWriteResponseError({ status, headers: new Headers() }, text)).toMatchObject({ kind })
})
