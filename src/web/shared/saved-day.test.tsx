// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { setSignedInFlag } from '#web/areas/accounts/sessions/signed-in-flag.ts'
import { stubApi } from '#web/testing/stub-api.ts'
import { SAVED_DAY_KEY } from './saved-day.ts'
import { redirectAfterSignOut, signOut } from './sign-out.ts'

test.each([
  ['a session that is over', () => setSignedInFlag(false)],
  ['an account that is gone', () => redirectAfterSignOut('/')],
  ['somebody who signs out without a connection', () => signOut().catch(() => undefined)],
])('the kept day goes with %s', async (_what, end) => {
  vi.spyOn(location, 'assign').mockReturnValue()
  stubApi({})
  localStorage.setItem(SAVED_DAY_KEY, '{}')
  await end()
  expect(localStorage.getItem(SAVED_DAY_KEY)).toBeNull()
})

test('it stays while the owner is logged in', () => {
  localStorage.setItem(SAVED_DAY_KEY, '{}')
  setSignedInFlag(true)
  expect(localStorage.getItem(SAVED_DAY_KEY)).toBe('{}')
})
