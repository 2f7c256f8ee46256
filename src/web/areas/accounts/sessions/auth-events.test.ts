import { afterEach, describe, expect, test, vi } from 'vitest'
import { makeOwner } from '#web/testing/make-records.ts'
import { findAuthEvent, logAuthEvent } from './auth-events.ts'

const meredith = makeOwner()
const cristina = makeOwner({ id: '00000000-0000-4000-8000-000000000002', full_name: 'Cristina Yang' })

afterEach(() => {
  vi.restoreAllMocks()
})

describe('decideAuthEvent', () => {
  test.each([
    ['the first answer is the initial session, signed in', undefined, meredith, 'INITIAL_SESSION'],
    ['the first answer is the initial session, signed out', undefined, null, 'INITIAL_SESSION'],
    ['somebody after nobody signed in', null, meredith, 'SIGNED_IN'],
    ['somebody else signed in', meredith, cristina, 'SIGNED_IN'],
    ['nobody after somebody signed out', meredith, null, 'SIGNED_OUT'],
    ['the same person again refreshed the session', meredith, makeOwner(), 'TOKEN_REFRESHED'],
    [
      'the same person with another name was updated',
      meredith,
      makeOwner({ last_name: 'Shepherd' }),
      'USER_UPDATED',
    ],
    ['nobody after nobody is no event', null, null, null],
  ] as const)('%s', (_case, before, now, event) => {
    expect(findAuthEvent(before, now)).toBe(event)
  })
})

test('an event is logged with its name, whether a session exists, and whose it is', () => {
  const info = vi.spyOn(console, 'info').mockImplementation(() => undefined)
  logAuthEvent('SIGNED_IN', meredith)
  logAuthEvent('SIGNED_OUT', null)
  expect(info.mock.calls).toEqual([
    [{ event: 'SIGNED_IN', hasSession: true, userId: meredith.id }],
    [{ event: 'SIGNED_OUT', hasSession: false, userId: null }],
  ])
})
