import { expect, test } from 'vitest'
import { CalendarTooLargeError } from '#server/ports/external-calendar.ts'
import { buildEventReader } from './event-reader.ts'
import { readCalendarFile } from './read-calendar-file.ts'
import { buildWorkCounter } from './work-counter.ts'

/** The work for a file is counted independently of the machine. Source: rule G25. */
const WINDOW = { startMs: Date.parse('2027-01-01T00:00:00Z'), endMs: Date.parse('2029-01-01T00:00:00Z') }

test.each([
  ['a rule that looks at each day of a century', ['DTSTART:19000101T100000Z', 'RRULE:FREQ=DAILY;COUNT=9999']],
  ['a hundred thousand lines', Array.from({ length: 100_000 }, (_, i) => `EXDATE:${toDay(i)}T100000Z`)],
  [
    'twenty thousand times',
    [`RDATE:${Array.from({ length: 20_000 }, (_, i) => `${toDay(i)}T100000Z`).join(',')}`],
  ],
  ['seconds that are looked for one by one', ['RRULE:FREQ=SECONDLY;INTERVAL=7;BYSECOND=3']],
])('%s is spent, and beyond the work of a file it is given up', (_name, lines) => {
  expect(countWork(lines)).toBeGreaterThan(1_000)
  expect(() => read(lines, 1_000)).toThrow(CalendarTooLargeError)
})

test('a zone whose clocks change each day is spent, too', () => {
  const zone = [
    ...['BEGIN:VTIMEZONE', 'TZID:Odd', 'BEGIN:STANDARD', 'DTSTART:20000101T020000', 'TZOFFSETFROM:+0100'],
    ...['TZOFFSETTO:+0200', 'RRULE:FREQ=DAILY', 'END:STANDARD', 'END:VTIMEZONE'],
  ]
  expect(() => read(['DTSTART;TZID=Odd:20270505T100000'], 1_000, zone)).toThrow(CalendarTooLargeError)
})

test('thirty thousand daily series of twenty years fit into a file, and rules without end do not', () => {
  const daily = countWork(['DTSTART:20080101T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY'])
  expect(() => buildWorkCounter().spend(daily * 10_000)).not.toThrow()
  // A rule with 30 days a year that began long ago. A hostile file contains ten thousand of these.
  const days = Array.from({ length: 366 }, (_, i) => i + 1).join(',')
  const yearly = countWork(['DTSTART:19010101T100000Z', `RRULE:FREQ=YEARLY;COUNT=19999;BYYEARDAY=${days}`])
  expect(() => buildWorkCounter().spend(yearly * 10_000)).toThrow(CalendarTooLargeError)
})

test('readers of one file share its work', () => {
  const work = buildWorkCounter(2_000)
  const lines = ['DTSTART:20270101T100000Z', 'DURATION:PT1H', 'RRULE:FREQ=DAILY']
  expect(() => {
    for (let reader = 0; reader < 10; reader += 1) readWith(lines, work)
  }).toThrow(CalendarTooLargeError)
})

function read(lines: readonly string[], most: number, around: readonly string[] = []): void {
  readWith(lines, buildWorkCounter(most), around)
}

function readWith(
  lines: readonly string[],
  work: ReturnType<typeof buildWorkCounter>,
  around: readonly string[] = [],
): void {
  const start = lines.some((line) => line.startsWith('DTSTART'))
    ? []
    : ['DTSTART:20270101T100000Z', 'DURATION:PT1H']
  const event = ['BEGIN:VEVENT', 'UID:1', ...start, ...lines, 'END:VEVENT']
  const file = readCalendarFile(['BEGIN:VCALENDAR', ...around, ...event, 'END:VCALENDAR', ''].join('\r\n'))
  if (file === null) throw new Error('the calendar is read')
  const settings = { window: WINDOW, ownerAddresses: new Set<string>(), ownUidHost: 'meridian.example', work }
  const reader = buildEventReader(file, { timeZones: ['UTC'], ...settings })
  for (const [uid, parts] of file.events) reader(uid, parts)
}

function countWork(lines: readonly string[]): number {
  let spent = 0
  readWith(lines, {
    spend: (units) => {
      spent += units
    },
  })
  return spent
}

/** Formats a day as `20270105`. */
function toDay(index: number): string {
  return new Date(Date.UTC(2027, 0, 1 + index)).toISOString().slice(0, 10).replaceAll('-', '')
}
