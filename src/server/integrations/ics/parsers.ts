import { createHash } from 'node:crypto'
import { buildEventReader } from '#server/integrations/icalendar/event-reader.ts'
import { type CalendarFile, readCalendarFile } from '#server/integrations/icalendar/read-calendar-file.ts'
import { toEffectiveZones } from '#server/integrations/icalendar/to-effective-zones.ts'
import { findFileZone } from '#server/integrations/icalendar/zone-resolver.ts'
import type { ParserTable } from '#server/integrations/reading/parser-table.ts'
import { truncateLongTexts } from '#server/integrations/reading/truncate-long-texts.ts'
import {
  type BusyTime,
  CalendarProviderError,
  type CalendarToRead,
  type ChangesPage,
  type ChangesRequest,
  type ListedCalendar,
  MAX_BUSY_TIMES,
  ResponseTooLargeError,
} from '#server/ports/external-calendar.ts'
import type { FileVersion } from './file-cursor.ts'
import { readFileChanges } from './read-file-changes.ts'

/** The id of the only calendar in a file. The URL is not used as the id, because it is secret. */
const ONLY_CALENDAR = 'file'

/** A file as sent by the server. */
type SentFile = {
  readonly content: Uint8Array
  readonly url: string
  /** The host part of the UIDs in our emails' calendar files. */
  readonly ownUidHost: string
}

/** Parsers for published files; they run in a separate process. */
export const ICS_PARSERS = {
  *calendar({ content, url }: Pick<SentFile, 'content' | 'url'>): Iterable<ListedCalendar> {
    const file = openFile(content)
    yield {
      externalId: ONLY_CALENDAR,
      name: (file.name ?? '').trim().slice(0, 200) || new URL(url).host,
      color: null,
      timeZone: findFileZone(file),
      isPrimary: true,
      canWrite: false,
    }
  },

  *changes({
    version,
    request,
    ...sent
  }: SentFile & {
    readonly version: FileVersion
    readonly request: Omit<ChangesRequest, 'signal'>
  }): Iterable<ChangesPage> {
    yield* readFileChanges(request, {
      version,
      mark: createHash('sha256').update(sent.content).digest('base64url'),
      open: () => openFile(sent.content),
      buildReader: (file, timeZones, window) =>
        buildEventReader(file, {
          ...toReaderSettings(sent, file, request.calendar.ownerEmail),
          timeZones,
          window,
        }),
    })
  },

  *busyTimes({
    calendar,
    during,
    ...sent
  }: SentFile & {
    readonly calendar: CalendarToRead
    readonly during: ChangesRequest['window']
  }): Iterable<BusyTime[]> {
    const file = openFile(sent.content)
    const timeZones = toEffectiveZones(findFileZone(file), calendar.readerZones)
    const read = buildEventReader(file, {
      ...toReaderSettings(sent, file, calendar.ownerEmail),
      timeZones,
      window: during,
    })
    const busy: BusyTime[] = []
    for (const [eventId, parts] of file.events) {
      const { appointmentId, occurrences } = read(eventId, parts)
      const said = { externalId: calendar.externalId, eventId, appointmentId }
      for (const { startMs, endMs } of occurrences) busy.push({ ...said, startMs, endMs })
      if (busy.length > MAX_BUSY_TIMES) throw new ResponseTooLargeError('refused', 'The file is too large.')
    }
    yield busy
  },
} satisfies ParserTable

/**
 * Parses a file.
 * @throws CalendarProviderError
 */
function openFile(content: Uint8Array): CalendarFile {
  const text = truncateLongTexts(new TextDecoder().decode(content))
  const file = readCalendarFile(text)
  if (file === null) throw new CalendarProviderError('unavailable', describeOther(text))
  return file
}

function describeOther(text: string): string {
  if (/^\s*</.test(text)) return 'This is the address of a web page, not a calendar.'
  return text.includes('BEGIN:VCALENDAR')
    ? 'The calendar was cut off.'
    : 'There is no calendar at this address.'
}

function toReaderSettings(
  { url, ownUidHost }: SentFile,
  file: CalendarFile,
  ownerEmail: string | null | undefined,
) {
  const addresses = findAddresses(file, url)
  if (typeof ownerEmail === 'string') addresses.add(ownerEmail.toLowerCase())
  return { ownUidHost, ownerAddresses: addresses }
}

/**
 * Returns the owner's email addresses, to recognise invitations that they declined. A file does not state them; Google
 * puts the address into the URL and into the calendar's name. The email address of the owner's Meridian account counts
 * too.
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
