import { calendar, type calendar_v3 } from '@googleapis/calendar'
import type { TokenStore } from '#server/integrations/oauth/token-store.ts'
import type { CalendarAccess } from '#server/ports/external-calendar.ts'
import { toCalendarError } from './google-errors.ts'
import { type GoogleSettings, getTimeoutMs } from './google-settings.ts'

type CallOptions = {
  readonly headers: Record<string, string>
  readonly signal: AbortSignal
}

export type GoogleClient = {
  /**
   * Calls Google on behalf of an account, with a time limit.
   * @throws CalendarProviderError
   */
  call<Answer>(
    access: CalendarAccess,
    ask: (google: calendar_v3.Calendar, options: CallOptions) => Promise<{ readonly data: Answer }>,
    more?: {
      readonly signal?: AbortSignal
      readonly etag?: string | null
      readonly hasCursor?: boolean
      readonly isWrite?: boolean
    },
  ): Promise<Answer>
}

/** Builds the client of the Calendar API. Jobs retry failed calls, so the library's own retries are disabled. */
export function buildGoogleClient(settings: GoogleSettings, keeper: TokenStore): GoogleClient {
  const google = calendar({
    version: 'v3',
    retry: false,
    ...(settings.sandboxUrl === undefined ? {} : { rootUrl: settings.sandboxUrl }),
  })
  return {
    call: (access, ask, { signal, etag = null, hasCursor = false, isWrite = false } = {}) =>
      keeper.withToken(access, async (accessToken) => {
        const limit = AbortSignal.timeout(getTimeoutMs(settings))
        const options = {
          headers: {
            authorization: `Bearer ${accessToken}`,
            ...(etag === null ? {} : { 'if-match': etag }),
          },
          signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
        }
        try {
          const { data } = await ask(google, options)
          return data
        } catch (error) {
          throw toCalendarError(error, settings.now, { hasCursor, isWrite })
        }
      }),
  }
}
