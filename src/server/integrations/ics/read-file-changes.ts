import type { Interval } from '#core/shared/interval.ts'
import { toEffectiveZones } from '#server/integrations/icalendar/to-effective-zones.ts'
import { findFileZone } from '#server/integrations/icalendar/zone-resolver.ts'
import {
  CalendarProviderError,
  CalendarTooLargeError,
  type ChangesPage,
  type ChangesRequest,
  type ExternalChange,
  MAX_BUSY_TIMES,
  type ReaderZones,
} from '#server/ports/external-calendar.ts'
import type { EventReader, ParsedEventContent } from '../icalendar/event-reader.ts'
import {
  hashContent,
  type KnownEventHashes,
  MAX_KNOWN_EVENTS,
  packEventHashes,
  unpackEventHashes,
} from '../icalendar/known-events.ts'
import { type CalendarFile, toZoneText } from '../icalendar/read-calendar-file.ts'
import { type FileVersion, toCursorText, toFileCursor } from './file-cursor.ts'

const CHANGES_ON_A_PAGE = 500
/**
 * Maximum number of busy times per page, because a single series can have many. Whoever reads the page stores them, or
 * reports that there are too many.
 */
const BUSY_TIMES_ON_A_PAGE = 5_000

/** The current state of a file. */
type Source = {
  readonly version: FileVersion
  /** The hash of the whole file. */
  readonly mark: string
  readonly open: () => CalendarFile
  readonly buildReader: (file: CalendarFile, timeZones: ReaderZones, window: Interval) => EventReader
}

/**
 * Yields the changes in a file since the cursor. The server always sends the whole file, so the cursor remembers the
 * known events.
 */
export function* readFileChanges(
  request: Omit<ChangesRequest, 'signal'>,
  { version, mark, open, buildReader }: Source,
): Generator<ChangesPage> {
  const before = request.cursor === null ? null : toFileCursor(request.cursor)
  if (before !== null && mark === before.mark) {
    yield { changes: [], cursor: request.cursor }
    return
  }
  const window = before?.window ?? request.window
  const file = open()
  const timeZones = toEffectiveZones(findFileZone(file), request.calendar.readerZones)
  const known = new Map<string, string>()
  const comparison = {
    file,
    read: buildReader(file, timeZones, window),
    // Includes the zones, because the same lines mean a different time when a zone changes.
    zones: hashContent(`${timeZones.join(' ')}\n${toZoneText(file)}`),
    before: before === null ? new Map() : unpack(before.known),
    known,
  }
  let changes: ExternalChange[] = []
  let busyTimes = 0
  let allBusyTimes = 0
  for (const change of listChanges(comparison)) {
    changes.push(change)
    busyTimes += change.event?.occurrences.length ?? 0
    allBusyTimes += change.event?.occurrences.length ?? 0
    if (allBusyTimes > MAX_BUSY_TIMES) throw toTooLargeError()
    if (changes.length < CHANGES_ON_A_PAGE && busyTimes < BUSY_TIMES_ON_A_PAGE) continue
    yield { changes, cursor: null }
    changes = []
    busyTimes = 0
  }
  yield { changes, cursor: toCursorText({ ...version, mark, window, known: packEventHashes(known) }) }
}

function toTooLargeError(): CalendarTooLargeError {
  return new CalendarTooLargeError('refused', 'The calendar has more events than can be read.')
}

/**
 * Lists the changes and records the existing events in `known`. Events that have no time in the window, and had none
 * before, are not reported as changes.
 */
function* listChanges({
  file,
  read,
  zones,
  before,
  known,
}: {
  readonly file: CalendarFile
  readonly read: EventReader
  readonly zones: string
  readonly before: KnownEventHashes
  readonly known: Map<string, string>
}): Generator<ExternalChange> {
  for (const [eventId, parts] of file.events) {
    const lines = parts.flatMap((part) => [`${part.kind} ${part.calendar}`, ...part.lines])
    const mark = hashContent(`${zones}\n${lines.join('\n')}`)
    const isSame = before.get(eventId) === mark
    const reading = isSame ? null : read(eventId, parts)
    if (reading === null || isRelevant(reading)) known.set(eventId, mark)
    if (known.size > MAX_KNOWN_EVENTS) throw toTooLargeError()
    if (reading !== null && (isRelevant(reading) || before.has(eventId))) yield toChange(eventId, reading)
  }
  for (const eventId of before.keys()) {
    if (!file.events.has(eventId)) yield { eventId, event: null }
  }
}

function isRelevant({ occurrences, appointmentId, unreadable }: ParsedEventContent): boolean {
  return occurrences.length > 0 || appointmentId !== null || unreadable !== null
}

function toChange(eventId: string, { isCancelled, ...reading }: ParsedEventContent): ExternalChange {
  if (isCancelled && reading.appointmentId !== null) return { eventId, event: null }
  return { eventId, event: { eventId, ...reading, etag: null } }
}

/** @throws CalendarProviderError `cursor_lost` */
function unpack(known: string): KnownEventHashes {
  try {
    return unpackEventHashes(known)
  } catch (error) {
    throw new CalendarProviderError('cursor_lost', 'The cursor cannot be read.', { cause: error })
  }
}
