import { createHash } from 'node:crypto'
import { z } from 'zod'
import { AddressError } from '#server/platform/http/address-error.ts'
import type { FetchTypedAddress } from '#server/platform/http/fetch-typed-address.ts'
import {
  AnswerTooLargeError,
  type BusyTime,
  type CalendarErrorKind,
  type CalendarProvider,
  CalendarProviderError,
  type ConnectedCalendarAccount,
  type ListedCalendar,
  MOST_BUSY_TIMES,
  type TypedAccount,
} from '#server/ports/external-calendar.ts'
import { buildEventReader, zoneOfFile } from '../icalendar/event-reader.ts'
import type { CalendarFile } from '../icalendar/read-calendar-file.ts'
import { buildTurns } from '../icalendar/take-turns.ts'
import { toReadingZones } from '../icalendar/to-reading-zones.ts'
import { fetchIcsFile, MAX_BYTES_BEFORE_BOOKING } from './ics-file.ts'
import { readFileChanges } from './read-file-changes.ts'

export type IcsSettings = {
  readonly fetchAddress: FetchTypedAddress
  /** The host in the UIDs of our emails. */
  readonly ownUidHost: string
}

/** An address has one calendar. The address itself is secret, so this is not it. */
const ONLY_CALENDAR = 'file'

const credentialsSchema = z.object({ url: z.string() })

/** The adapter for a calendar that is published as a file at an address. It can only be read. Source: rules G1 and G21. */
export function buildIcsProvider({ fetchAddress, ownUidHost }: IcsSettings): CalendarProvider {
  return {
    isSandbox: false,
    authorization: null,
    push: null,
    events: null,
    disconnect: async () => {},
    connect: (typed) => connect(fetchAddress, typed),

    async listCalendars({ credentials }) {
      const url = toAddress(credentials)
      const fetched = await fetchIcsFile(fetchAddress, { url })
      return fetched === null ? [] : [toListed(fetched.file, url)]
    },

    async *readChanges({ credentials }, request) {
      const url = toAddress(credentials)
      yield* readFileChanges(request, {
        fetchFile: (version) =>
          fetchIcsFile(fetchAddress, {
            url,
            ...(version && { version }),
            ...(request.signal && { signal: request.signal }),
          }),
        buildReader: (file, timeZones, window) =>
          buildEventReader(file, { timeZones, window, ownUidHost, ownerAddresses: findAddresses(file, url) }),
      })
    },

    async readBusyTimes({ credentials }, { calendars, during, signal }) {
      const url = toAddress(credentials)
      const [calendar] = calendars
      if (calendar === undefined) return []
      const limits = { signal, maxBytes: MAX_BYTES_BEFORE_BOOKING }
      const fetched = await fetchIcsFile(fetchAddress, { url, ...limits }).catch((error: unknown) => {
        throw isTooLarge(error)
          ? new AnswerTooLargeError('refused', 'The file is too large.', { cause: error })
          : error
      })
      if (fetched === null) return []
      const { file } = fetched
      const timeZones = toReadingZones(calendar.timeZone ?? zoneOfFile(file), calendar.readerZones)
      const ownerAddresses = findAddresses(file, url)
      const read = buildEventReader(file, { timeZones, window: during, ownUidHost, ownerAddresses })
      const busy: BusyTime[] = []
      const takeTurns = buildTurns(signal)
      for (const [eventId, components] of file.events) {
        await takeTurns()
        const { appointmentId, occurrences } = read(eventId, components)
        const said = { externalId: calendar.externalId, eventId, appointmentId }
        for (const { startMs, endMs } of occurrences) busy.push({ ...said, startMs, endMs })
        if (busy.length > MOST_BUSY_TIMES) throw new AnswerTooLargeError('refused', 'The file is too large.')
      }
      return busy
    },
  }
}

async function connect(
  fetchAddress: FetchTypedAddress,
  typed: TypedAccount,
): Promise<ConnectedCalendarAccount> {
  if (typed.kind !== 'address') throw new CalendarProviderError('refused', 'An address needs no password.')
  const url = toHttps(typed.url)
  await fetchIcsFile(fetchAddress, { url }).catch((error: unknown) => {
    throw toFirstError(error)
  })
  return {
    accountId: createHash('sha256').update(url).digest('hex'),
    accountName: new URL(url).host,
    credentials: JSON.stringify({ url }),
    grantedScopes: [],
  }
}

/** What a failure means when the address was never read before: nothing ended, and nothing is gone. */
const FIRST_WORDS: Readonly<Partial<Record<CalendarErrorKind, string>>> = {
  expired: 'The server does not show it to everybody. Please use an address that asks for no password.',
  gone: 'There is nothing at this address.',
}

function toFirstError(error: unknown): unknown {
  if (!(error instanceof CalendarProviderError)) return error
  const words = FIRST_WORDS[error.kind]
  return words === undefined ? error : new CalendarProviderError('refused', words, { cause: error })
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof AddressError && error.cause.problem === 'too_large'
}

/** Calendar programs give out `webcal://` for an address that they fetch with https. */
function toHttps(typed: string): string {
  const text = typed.trim().replace(/^webcals?:\/\//i, 'https://')
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null) throw new CalendarProviderError('refused', 'This is not an address that can be fetched.')
  return url.href
}

function toAddress(credentials: string): string {
  return credentialsSchema.parse(JSON.parse(credentials)).url
}

function toListed(file: CalendarFile, url: string): ListedCalendar {
  return {
    externalId: ONLY_CALENDAR,
    name: (file.name ?? '').trim().slice(0, 200) || new URL(url).host,
    color: null,
    timeZone: zoneOfFile(file),
    isPrimary: true,
    canWrite: false,
  }
}

/**
 * Whose calendar it is, for the invitations that they declined. A file does not say it; Google puts the email address into the
 * address of the file and calls the calendar by it.
 */
function findAddresses({ name }: CalendarFile, url: string): Set<string> {
  const texts = [name ?? '', ...new URL(url).pathname.split('/').map(decode)]
  return new Set(
    texts.filter((text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)).map((text) => text.toLowerCase()),
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
