import type { TokenStore } from '#server/integrations/oauth/token-store.ts'
import type { CalendarAccess } from '#server/ports/external-calendar.ts'
import { buildGraphError, toGraphError } from './graph-errors.ts'
import { getGraphUrl, getTimeoutMs, type MicrosoftSettings } from './microsoft-settings.ts'

type GraphRequest = {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** A path below Graph's base URL (`/me/calendars`), or an absolute URL of a next page from Graph. */
  readonly at: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  /** Value for If-Match; null overwrites any version. */
  readonly etag?: string | null
  /** Maximum number of items per page. */
  readonly pageSize?: number
  /** True when the request reads changes since a cursor. */
  readonly hasCursor?: boolean
  /** True when the request writes an event. */
  readonly isWrite?: boolean
  readonly signal?: AbortSignal
}

export type GraphClient = {
  /**
   * Calls Graph on behalf of an account, with limits on time and size. Returns the JSON; null when there is none.
   * @throws CalendarProviderError
   */
  call(access: CalendarAccess, request: GraphRequest): Promise<unknown>
}

/** Maximum size of a response, in bytes. Pages of events are far smaller, because they have no attachments. */
const MAX_ANSWER = 32 * 1024 * 1024

/** Builds the Graph client. It sends each request once, because the jobs do the retries. */
export function buildGraphClient(settings: MicrosoftSettings, keeper: TokenStore): GraphClient {
  const graphUrl = getGraphUrl(settings)
  return {
    call: (access, request) =>
      keeper.withToken(access, async (accessToken) => {
        const limit = AbortSignal.timeout(getTimeoutMs(settings))
        const signal = request.signal === undefined ? limit : AbortSignal.any([request.signal, limit])
        const { status, headers, text } = await send(toUrl(graphUrl, request), {
          method: request.method ?? 'GET',
          headers: toHeaders(request, accessToken),
          ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
          // Never follow a redirect, which would take the token to another host.
          redirect: 'error',
          signal,
        })
        if (status >= 200 && status < 300) return text === '' ? null : parseAnswer(text)
        const { hasCursor = false, isWrite = false } = request
        throw toGraphError(
          { status, headers, body: parseOrNull(text) },
          { hasCursor, isWrite, nowMs: settings.now() },
        )
      }),
  }
}

/**
 * @throws CalendarProviderError `refused` when a URL from Graph points to another host, so that the token is not sent
 * there
 */
function toUrl(graphUrl: string, { at, query = {} }: GraphRequest): string {
  if (at.startsWith('/')) {
    const search = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    return `${graphUrl}${at}${search.length === 0 ? '' : `?${search.join('&')}`}`
  }
  if (URL.parse(at)?.origin !== new URL(graphUrl).origin) {
    throw buildGraphError('refused', 'a page that is not at Graph')
  }
  return at
}

/**
 * Requests times in UTC, because Graph uses Windows zone names, and plain text instead of HTML, because it is shorter.
 */
function toHeaders({ body, etag = null, pageSize }: GraphRequest, accessToken: string) {
  const prefer = [
    'outlook.timezone="UTC"',
    'outlook.body-content-type="text"',
    ...(pageSize === undefined ? [] : [`odata.maxpagesize=${pageSize}`]),
  ]
  return {
    authorization: `Bearer ${accessToken}`,
    prefer: prefer.join(', '),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(etag === null ? {} : { 'if-match': etag }),
  }
}

/** @throws CalendarProviderError `unavailable`, or `refused` when the response is too long */
async function send(url: string, request: RequestInit) {
  const reach = async () => {
    const response = await fetch(url, request)
    return { status: response.status, headers: response.headers, text: await readText(response) }
  }
  const answer = await reach().catch((error: unknown) => {
    throw buildGraphError('unavailable', error instanceof Error ? error.name : 'no answer')
  })
  if (answer.text === null) throw buildGraphError('refused', 'an answer without an end')
  return { ...answer, text: answer.text }
}

/** Returns the body's text; null when it exceeds the size limit. */
async function readText({ body }: Response): Promise<string | null> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > MAX_ANSWER) return null
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}

function parseAnswer(text: string): unknown {
  const answer = parseOrNull(text)
  if (answer === null) throw buildGraphError('unavailable', 'an answer that is no JSON')
  return answer
}

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns a calendar's path in Graph. */
export function toCalendarPath(externalId: string): string {
  return `/me/calendars/${encodeURIComponent(externalId)}`
}

/** Returns an event's path within its calendar. Events in the trash are not found by this path. */
export function toEventPath(externalId: string, eventId: string): string {
  return `${toCalendarPath(externalId)}/events/${encodeURIComponent(eventId)}`
}

/** Returns the query parameters of a calendar view; both ends are in UTC. */
export function toCalendarViewQuery({
  startMs,
  endMs,
}: {
  readonly startMs: number
  readonly endMs: number
}) {
  return { startDateTime: new Date(startMs).toISOString(), endDateTime: new Date(endMs).toISOString() }
}
