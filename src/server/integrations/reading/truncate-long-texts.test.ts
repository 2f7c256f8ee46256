import { expect, test } from 'vitest'
import { CalendarTooLargeError } from '#server/ports/external-calendar.ts'
import { truncateLongTexts } from './truncate-long-texts.ts'

const MANY = 2_000

test.each([
  ['one line', toFile([`CATEGORIES:${'x'.repeat(600_000)}`]), /line of more than 500,000/],
  [
    'a quoted parameter',
    toFile([`ATTENDEE;CN="${'x'.repeat(600_000)}":mailto:a@example.com`]),
    /line of more/,
  ],
  ['a folded line', toFile([`CATEGORIES:${'x\r\n '.repeat(200_000)}`]), /line of more/],
  ['a line without an end', 'BEGIN:VCALENDAR'.padEnd(600_000, 'x'), /line of more/],
  ['guests', toFile(Array.from({ length: 60_000 }, () => 'ATTENDEE:a')), /more than 50,000 lines/],
  ['alarms', toFile(Array.from({ length: 60_000 }, () => 'BEGIN:VALARM')), /more than 50,000 lines/],
  ['lines that belong to nothing', 'x\n'.repeat(60_000), /more than 50,000 lines/],
  ['events', 'BEGIN:VEVENT\r\nEND:VEVENT\r\n'.repeat(110_000), /more than 100,000 entries/],
])('a file with too much is refused: %s', (_what, text, words) => {
  expect(() => truncateLongTexts(text)).toThrow(CalendarTooLargeError)
  expect(() => truncateLongTexts(text)).toThrow(words)
})

test.each(['\r\n', '\n', '\r'])('a long text is left out, and nothing else of the file (%j)', (end) => {
  const before = Array.from({ length: MANY }, (_, index) => `SUMMARY:${index}`)
  const long = `DESCRIPTION;ALTREP="${'x'.repeat(600_000)}":${end} folded`
  const after = ['DTSTART:20270101T090000Z', 'END:VEVENT', '']
  const text = ['BEGIN:VEVENT', ...before, long, ...after].join(end)
  expect(truncateLongTexts(text)).toBe(['BEGIN:VEVENT', ...before, ...after].join(end))
  const short = ['BEGIN:VEVENT', ...before, ...after].join(end)
  expect(truncateLongTexts(short)).toBe(short)
})

test('an event may have as many excluded dates as are read', () => {
  const dates = Array.from({ length: 20_000 }, () => '20270101T090000Z')
  const text = toFile([`EXDATE:${dates.join(',')}`, ...dates.map((date) => `EXDATE:${date}`)])
  expect(truncateLongTexts(text)).toBe(text)
})

function toFile(lines: readonly string[]): string {
  return ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')
}
