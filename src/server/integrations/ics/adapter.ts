import { createHash } from 'node:crypto'
import { z } from 'zod'
import {
  getOnlyPart,
  type RunParser,
  rethrowForBookingCheck,
} from '#server/integrations/reading/parser-table.ts'
import type { FetchOwnerUrl } from '#server/platform/http/fetch-owner-url.ts'
import {
  type CalendarErrorKind,
  type CalendarProvider,
  CalendarProviderError,
  type ConnectedCalendarAccount,
  type ListedCalendar,
} from '#server/ports/external-calendar.ts'
import { type FileVersion, toFileCursor } from './file-cursor.ts'
import { fetchIcsFile, MAX_BOOKING_CHECK_BYTES } from './ics-file.ts'
import type { ICS_PARSERS } from './parsers.ts'

export type IcsSettings = {
  readonly fetchAddress: FetchOwnerUrl
  readonly read: RunParser<typeof ICS_PARSERS>
  /** The host part of the UIDs in our emails' calendar files. */
  readonly ownUidHost: string
}

const credentialsSchema = z.object({ url: z.string() })

/** Adapter for a calendar published as an .ics file at a URL. Read-only. Source: rules G1 and G21. */
export function buildIcsProvider({ fetchAddress, read, ownUidHost }: IcsSettings): CalendarProvider {
  async function readCalendar(url: string): Promise<ListedCalendar | null> {
    const fetched = await fetchIcsFile(fetchAddress, { url })
    if (fetched === null) return null
    return getOnlyPart(await read('calendar', { content: fetched.content, url }, { account: url }))
  }

  return {
    isSandbox: false,
    authorization: null,
    push: null,
    events: null,
    disconnect: async () => {},

    async connect(typed) {
      if (typed.kind !== 'address')
        throw new CalendarProviderError('refused', 'An address needs no password.')
      const url = toHttps(typed.url)
      await readCalendar(url).catch((error: unknown) => {
        throw toFirstError(error)
      })
      return toAccount(url)
    },

    async listCalendars({ credentials }) {
      const calendar = await readCalendar(toAddress(credentials))
      return calendar === null ? [] : [calendar]
    },

    async *readChanges({ credentials }, { signal, ...request }) {
      const url = toAddress(credentials)
      const before: FileVersion | null = request.cursor === null ? null : toFileCursor(request.cursor)
      const fetched = await fetchIcsFile(fetchAddress, {
        url,
        ...(before && { version: before }),
        ...(signal && { signal }),
      })
      if (fetched === null) yield { changes: [], cursor: request.cursor }
      else {
        const order = { account: url, ...(signal && { signal }) }
        yield* await read('changes', { ...fetched, url, ownUidHost, request }, order)
      }
    },

    async readBusyTimes({ credentials }, { calendars, during, signal }) {
      const url = toAddress(credentials)
      const [calendar] = calendars
      if (calendar === undefined) return []
      const limits = { signal, maxBytes: MAX_BOOKING_CHECK_BYTES }
      const fetched = await fetchIcsFile(fetchAddress, { url, ...limits }).catch(rethrowForBookingCheck)
      if (fetched === null) return []
      const { content } = fetched
      const order = { account: url, isQuestion: true, signal }
      const reading = read('busyTimes', { content, url, ownUidHost, calendar, during }, order)
      return getOnlyPart(await reading.catch(rethrowForBookingCheck))
    },
  }
}

function toAccount(url: string): ConnectedCalendarAccount {
  return {
    accountId: createHash('sha256').update(url).digest('hex'),
    accountName: new URL(url).host,
    credentials: JSON.stringify({ url }),
    grantedScopes: [],
  }
}

/** Error texts for a URL that is fetched for the first time, when nothing can have expired or been deleted yet. */
const FIRST_WORDS: Readonly<Partial<Record<CalendarErrorKind, string>>> = {
  expired: 'The server needs a password for it. Please use a public address.',
  gone: 'There is nothing at this address.',
}

function toFirstError(error: unknown): unknown {
  if (!(error instanceof CalendarProviderError)) return error
  const words = FIRST_WORDS[error.kind]
  return words === undefined ? error : new CalendarProviderError('refused', words, { cause: error })
}

/** Replaces `webcal://` with `https://`. Calendar programs hand out `webcal://` for URLs that they fetch with https. */
function toHttps(typed: string): string {
  const text = typed.trim().replace(/^webcals?:\/\//i, 'https://')
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) throw new CalendarProviderError('refused', 'This is not an address that can be fetched.')
  return url.href
}

function toAddress(credentials: string): string {
  return credentialsSchema.parse(JSON.parse(credentials)).url
}
