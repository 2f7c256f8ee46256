import { expect, test, vi } from 'vitest'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { makeCalendarAccess } from '#tests/support/calendar-access.ts'
import type { OAuthTokens } from './oauth-tokens.ts'
import { buildTokenStore } from './token-store.ts'

const NOW = Date.parse('2027-01-04T08:00:00Z')
const HOUR_MS = 3_600_000
const FRESH: OAuthTokens = {
  accessToken: 'first',
  expiresAtMs: NOW + HOUR_MS,
  refreshToken: 'refresh',
  grantedScopes: ['calendar'],
}
const OLD: OAuthTokens = { ...FRESH, expiresAtMs: NOW + 1_000 }
const RENEWED: OAuthTokens = { ...FRESH, accessToken: 'second', refreshToken: 'rotated' }

const expired = () => new CalendarProviderError('expired', 'The provider refuses the token.')
const write = (tokens: OAuthTokens) => JSON.stringify(tokens)

function makeKeeper(refresh: (tokens: OAuthTokens) => Promise<OAuthTokens>) {
  const refreshed = vi.fn(refresh)
  return {
    keeper: buildTokenStore(
      () => NOW,
      async () => ({ refresh: refreshed }),
    ),
    refreshed,
  }
}

test('a token that is valid is used as it is', async () => {
  const { keeper, refreshed } = makeKeeper(async () => RENEWED)
  const access = makeCalendarAccess(write(FRESH))
  expect(await keeper.withToken(access, async (token) => token)).toBe('first')
  expect(refreshed).not.toHaveBeenCalled()
  expect(access.saved).toEqual([])
})

test('calls that need a renewal at the same time share one, and it is kept once', async () => {
  const { keeper, refreshed } = makeKeeper(async () => RENEWED)
  const access = makeCalendarAccess(write(OLD))
  const calls = [1, 2, 3].map(() => keeper.withToken(access, async (token) => token))
  expect(await Promise.all(calls)).toEqual(['second', 'second', 'second'])
  expect(refreshed).toHaveBeenCalledOnce()
  expect(access.saved).toEqual([write(RENEWED)])
  expect(await keeper.withToken(access, async (token) => token)).toBe('second')
})

test('a token that the provider refuses is renewed, and the call made once more', async () => {
  const { keeper } = makeKeeper(async () => RENEWED)
  const used: string[] = []
  const answer = await keeper.withToken(makeCalendarAccess(write(FRESH)), async (token) => {
    used.push(token)
    if (token === 'first') throw expired()
    return 'answer'
  })
  expect({ answer, used }).toEqual({ answer: 'answer', used: ['first', 'second'] })
})

test('an account that refuses the fresh token, too, is expired', async () => {
  const { keeper, refreshed } = makeKeeper(async () => RENEWED)
  const call = vi.fn(async () => {
    throw expired()
  })
  await expect(keeper.withToken(makeCalendarAccess(write(FRESH)), call)).rejects.toMatchObject({
    kind: 'expired',
  })
  expect(call).toHaveBeenCalledTimes(2)
  expect(refreshed).toHaveBeenCalledOnce()
})

test('what another process renewed first is used instead of our own renewal', async () => {
  const { keeper } = makeKeeper(async () => ({ ...RENEWED, accessToken: 'ours' }))
  const access = { ...makeCalendarAccess(write(OLD)), saveCredentials: async () => write(RENEWED) }
  expect(await keeper.withToken(access, async (token) => token)).toBe('second')
  expect(keeper.currentTokens(access)).toEqual(RENEWED)
})

test('a refresh token that another process has used up does not make the account expired', async () => {
  const { keeper } = makeKeeper(async () => {
    throw expired()
  })
  const access = { ...makeCalendarAccess(write(OLD)), saveCredentials: async () => write(RENEWED) }
  expect(await keeper.withToken(access, async (token) => token)).toBe('second')
})

test('a refresh token that is refused and that nobody has renewed makes it expired', async () => {
  const { keeper } = makeKeeper(async () => {
    throw expired()
  })
  const call = vi.fn(async () => 'never')
  await expect(keeper.withToken(makeCalendarAccess(write(OLD)), call)).rejects.toMatchObject({
    kind: 'expired',
  })
  expect(call).not.toHaveBeenCalled()
})

test('a provider that does not answer leaves the tokens as they are', async () => {
  let isAway = true
  const { keeper } = makeKeeper(async () => {
    if (isAway) throw new CalendarProviderError('unavailable', 'The provider did not answer.')
    return RENEWED
  })
  const access = makeCalendarAccess(write(OLD))
  await expect(keeper.withToken(access, async (token) => token)).rejects.toMatchObject({
    kind: 'unavailable',
  })
  expect(access.saved).toEqual([])
  isAway = false
  expect(await keeper.withToken(access, async (token) => token)).toBe('second')
})
