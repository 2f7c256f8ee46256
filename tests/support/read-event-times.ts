import { expect } from 'vitest'
import { buildEventReader } from '#server/integrations/icalendar/event-reader.ts'
import { readCalendarFile } from '#server/integrations/icalendar/read-calendar-file.ts'
import type { ReaderZones } from '#server/ports/external-calendar.ts'

const WINDOW = { startMs: Date.parse('2027-01-01T00:00:00Z'), endMs: Date.parse('2029-01-01T00:00:00Z') }

/**
 * Lists the busy times of a calendar file in 2027 and 2028, in order, as `2027-05-05T10:00/11:00`: in UTC, with the end date
 * where it differs from the start date.
 */
export function readFileTimes(text: string, zones: ReaderZones = ['UTC']): string[] {
  const file = readCalendarFile(text)
  if (file === null) throw new Error('the calendar is read')
  const reader = buildEventReader(file, {
    timeZones: zones,
    window: WINDOW,
    ownerAddresses: new Set(['ada@example.com']),
    ownUidHost: 'meridian.example',
  })
  return [...file.events]
    .flatMap(([uid, parts]) => {
      const { occurrences } = reader(uid, parts)
      // Keys must be unique, because our copy stores one row for each occurrence.
      expect(new Set(occurrences.map(({ key }) => key)).size).toBe(occurrences.length)
      return occurrences
    })
    .sort((a, b) => a.startMs - b.startMs || a.endMs - b.endMs)
    .map(({ startMs, endMs }) => toText(startMs, endMs))
}

/** Lists the busy times of one event. A line `--` starts another component with the same UID. */
export function readEventTimes(
  lines: readonly string[],
  { around = [], zones = ['UTC'] }: { around?: readonly string[]; zones?: ReaderZones } = {},
): string[] {
  const next = ['END:VEVENT', 'BEGIN:VEVENT', 'UID:1']
  const event = lines.flatMap((line) => (line === '--' ? next : [line]))
  const all = ['BEGIN:VCALENDAR', ...around, 'BEGIN:VEVENT', 'UID:1', ...event, 'END:VEVENT', 'END:VCALENDAR']
  return readFileTimes(`${all.join('\r\n')}\r\n`, zones)
}

function toText(startMs: number, endMs: number): string {
  const [from, until] = [startMs, endMs].map((ms) => new Date(ms).toISOString().slice(0, 16))
  const isSameDay = from?.slice(0, 10) === until?.slice(0, 10)
  return `${from}/${isSameDay ? until?.slice(11) : until}`
}
