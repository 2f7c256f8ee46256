import { z } from 'zod'
import type { Interval } from '#core/shared/interval.ts'
import {
  CalendarProviderError,
  type ChangesPage,
  type ChangesRequest,
  type ExternalChange,
  type ReaderZones,
} from '#server/ports/external-calendar.ts'
import { type EventReader, type EventReading, zoneOfFile } from '../icalendar/event-reader.ts'
import {
  type KnownEvents,
  MAX_KNOWN_EVENTS,
  packKnownEvents,
  toMark,
  unpackKnownEvents,
} from '../icalendar/known-events.ts'
import type { CalendarFile } from '../icalendar/read-calendar-file.ts'
import { buildTurns } from '../icalendar/take-turns.ts'
import { toReadingZones } from '../icalendar/to-reading-zones.ts'
import type { FetchedFile, FileVersion } from './ics-file.ts'

const CHANGES_ON_A_PAGE = 500
/** Series have many; whoever takes the page stores them, or says that they are too many. */
const BUSY_TIMES_ON_A_PAGE = 20_000

const cursorSchema = z.object({
  format: z.literal(1),
  startMs: z.number(),
  endMs: z.number(),
  etag: z.string().nullable(),
  lastModified: z.string().nullable(),
  /** Of the whole file. */
  mark: z.string(),
  known: z.string(),
})

type Cursor = FileVersion & { readonly mark: string; readonly window: Interval; readonly known: KnownEvents }

type Source = {
  /** Null when the file is still the one of that version. */
  readonly fetchFile: (version: FileVersion | null) => Promise<FetchedFile | null>
  readonly buildReader: (file: CalendarFile, timeZones: ReaderZones, window: Interval) => EventReader
}

/**
 * Says what changed in a file since the cursor. The server gives the whole file each time, or nothing when it is the same, so the
 * cursor remembers which events there were.
 */
export async function* readFileChanges(request: ChangesRequest, source: Source): AsyncGenerator<ChangesPage> {
  const before = request.cursor === null ? null : toCursor(request.cursor)
  const window = before?.window ?? request.window
  const fetched = await source.fetchFile(before)
  if (fetched === null || (before !== null && fetched.mark === before.mark)) {
    yield { changes: [], cursor: request.cursor }
    return
  }
  const { file, version, mark } = fetched
  const { timeZone, readerZones } = request.calendar
  const timeZones = toReadingZones(timeZone ?? zoneOfFile(file), readerZones)
  const known = new Map<string, string>()
  const comparison = {
    file,
    read: source.buildReader(file, timeZones, window),
    // The same lines mean another time when a zone is another one.
    zones: `${timeZones.join(' ')}\n${[...file.zoneDefinitions.values()].join('\n')}`,
    before: before?.known ?? new Map(),
    known,
    takeTurns: buildTurns(request.signal),
  }
  let changes: ExternalChange[] = []
  let busyTimes = 0
  for await (const change of listChanges(comparison)) {
    changes.push(change)
    busyTimes += change.event?.occurrences.length ?? 0
    if (changes.length < CHANGES_ON_A_PAGE && busyTimes < BUSY_TIMES_ON_A_PAGE) continue
    yield { changes, cursor: null }
    changes = []
    busyTimes = 0
  }
  if (known.size > MAX_KNOWN_EVENTS) {
    throw new CalendarProviderError('refused', 'This calendar has more events than can be read.')
  }
  yield { changes, cursor: toText({ ...version, mark, window, known }) }
}

/** Notes in `known` which events there are. Events that have no time in the window, and had none, are no change. */
async function* listChanges({
  file,
  read,
  zones,
  before,
  known,
  takeTurns,
}: {
  readonly file: CalendarFile
  readonly read: EventReader
  readonly zones: string
  readonly before: KnownEvents
  readonly known: Map<string, string>
  readonly takeTurns: () => Promise<void>
}): AsyncGenerator<ExternalChange> {
  for (const [eventId, components] of file.events) {
    await takeTurns()
    const mark = toMark(`${zones}\n${components.flat().join('\n')}`)
    const isSame = before.get(eventId) === mark
    const reading = isSame ? null : read(eventId, components)
    if (reading === null || matters(reading)) known.set(eventId, mark)
    if (reading !== null && (matters(reading) || before.has(eventId))) yield toChange(eventId, reading)
  }
  for (const eventId of before.keys()) {
    if (!file.events.has(eventId)) yield { eventId, event: null }
  }
}

function matters({ occurrences, appointmentId }: EventReading): boolean {
  return occurrences.length > 0 || appointmentId !== null
}

function toChange(eventId: string, { isCancelled, ...reading }: EventReading): ExternalChange {
  if (isCancelled && reading.appointmentId !== null) return { eventId, event: null }
  return { eventId, event: { eventId, ...reading, etag: null } }
}

function toText({ window, known, ...rest }: Cursor): string {
  return JSON.stringify({ format: 1, ...window, ...rest, known: packKnownEvents(known) })
}

function toCursor(text: string): Cursor {
  try {
    const { startMs, endMs, etag, lastModified, mark, known } = cursorSchema.parse(JSON.parse(text))
    return { window: { startMs, endMs }, etag, lastModified, mark, known: unpackKnownEvents(known) }
  } catch (error) {
    throw new CalendarProviderError('cursor_lost', 'The cursor cannot be read.', { cause: error })
  }
}
