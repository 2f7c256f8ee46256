import { SECOND_MS } from '#core/shared/duration.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type CalendarAccess, CalendarProviderError } from '#server/ports/external-calendar.ts'
import type { OAuthClient } from './oauth-client.ts'
import { type OAuthTokens, parseTokens, serialiseTokens } from './oauth-tokens.ts'

export type TokenStore = {
  /**
   * Runs `call` with a valid access token. If the provider rejects the token (`expired`), renews it and runs `call`
   * once more.
   * @throws CalendarProviderError `expired` when the account's token can no longer be renewed
   */
  withToken<Answer>(access: CalendarAccess, call: (accessToken: string) => Promise<Answer>): Promise<Answer>
  /** Returns the stored tokens without contacting the provider. */
  currentTokens(access: CalendarAccess): OAuthTokens
}

type Kept = { tokens: OAuthTokens; credentials: string; renewing: Promise<OAuthTokens> | null }

/** Tokens that expire within this time are renewed before use, because of network delay and clock differences. */
const MARGIN_MS = 60 * SECOND_MS

/**
 * Builds the store that renews access tokens. Concurrent calls share one renewal, and tokens that another process has
 * renewed are adopted.
 */
export function buildTokenStore(now: Clock, client: () => Promise<Pick<OAuthClient, 'refresh'>>): TokenStore {
  const kept = new WeakMap<CalendarAccess, Kept>()

  function keptOf(access: CalendarAccess): Kept {
    const known = kept.get(access)
    if (known !== undefined) return known
    const { credentials } = access
    const fresh = { tokens: parseTokens(credentials), credentials, renewing: null }
    kept.set(access, fresh)
    return fresh
  }

  function take(state: Kept, credentials: string): OAuthTokens {
    state.credentials = credentials
    state.tokens = parseTokens(credentials)
    return state.tokens
  }

  async function renew(access: CalendarAccess, state: Kept): Promise<OAuthTokens> {
    const { refresh } = await client()
    try {
      const renewed = await refresh(state.tokens)
      return take(state, await access.saveCredentials(serialiseTokens(renewed)))
    } catch (error) {
      if (!isExpired(error)) throw error
      // Some providers invalidate earlier tokens at each renewal, so a renewal by another process looks like a
      // rejection. Use the newer stored tokens if there are any.
      const stored = await access.saveCredentials(state.credentials)
      if (stored === state.credentials) throw error
      return take(state, stored)
    }
  }

  function renewOnce(access: CalendarAccess, state: Kept): Promise<OAuthTokens> {
    state.renewing ??= renew(access, state).finally(() => {
      state.renewing = null
    })
    return state.renewing
  }

  return {
    currentTokens: (access) => keptOf(access).tokens,
    withToken: async (access, call) => {
      const state = keptOf(access)
      const isFresh = state.tokens.expiresAtMs - now() > MARGIN_MS
      const { accessToken } = isFresh ? state.tokens : await renewOnce(access, state)
      try {
        return await call(accessToken)
      } catch (error) {
        if (!isExpired(error)) throw error
        // Another call may have renewed the token since this one started.
        const isOurs = state.tokens.accessToken === accessToken
        const renewed = isOurs ? await renewOnce(access, state) : state.tokens
        return call(renewed.accessToken)
      }
    },
  }
}

function isExpired(error: unknown): boolean {
  return error instanceof CalendarProviderError && error.kind === 'expired'
}
