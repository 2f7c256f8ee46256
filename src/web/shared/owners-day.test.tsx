// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest'
import { rememberSignedIn } from '#web/areas/accounts/sessions/signed-in-flag.ts'
import { stubApi } from '#web/testing/stub-api.ts'
import { OWNERS_DAY } from './owners-day.ts'
import { leaveSignedOut, signOut } from './sign-out.ts'

afterEach(() => {
  localStorage.clear()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test.each([
  ['a session that is over', () => rememberSignedIn(false)],
  ['an account that is gone', () => leaveSignedOut('/')],
  ['somebody who signs out without a connection', () => signOut().catch(() => undefined)],
])('the kept day goes with %s', async (_what, end) => {
  vi.spyOn(location, 'assign').mockReturnValue()
  stubApi({})
  localStorage.setItem(OWNERS_DAY, '{}')
  await end()
  expect(localStorage.getItem(OWNERS_DAY)).toBeNull()
})

test('it stays while the owner is logged in', () => {
  localStorage.setItem(OWNERS_DAY, '{}')
  rememberSignedIn(true)
  expect(localStorage.getItem(OWNERS_DAY)).toBe('{}')
})
