import { OwnerUrlError } from '#server/platform/http/owner-url-error.ts'
import { CalendarTooLargeError } from '#server/ports/external-calendar.ts'

/**
 * Maximum length of a line, in characters. 20,000 excluded dates on one line, the most that are read (rule G25), take
 * 340 kB.
 */
const MAX_LINE_LENGTH = 500_000
/**
 * Maximum number of lines of one event. An event with 20,000 excluded dates on separate lines and a thousand attendees
 * has half as many.
 */
const MAX_LINES_OF_EVENT = 50_000
/**
 * Maximum number of components in a file: events with their alarms, and zones. A calendar of 20 years has about 40,000.
 */
const MAX_COMPONENTS = 100_000

/** Matches properties that can be dropped when too large: texts and attachments, which do not affect times. */
const LONG_TEXT =
  /^(?:ATTACH|COMMENT|DESCRIPTION|IMAGE|LOCATION|STRUCTURED-DATA|STYLED-DESCRIPTION|SUMMARY|X-[A-Z0-9-]+)[;:]/i
/** Matches the first line of a component whose lines are counted. Alarms count towards their event. */
const WHOLE_COMPONENT = /^BEGIN:V(?:EVENT|FREEBUSY|JOURNAL|TIMEZONE|TODO)\b/i

/**
 * Drops excessively long texts from a calendar file. Runs before parsing, because the parser's cost grows with each
 * line. Source: rule G26.
 * @throws CalendarTooLargeError when a limit is exceeded, because dropped parts could be busy
 */
export function truncateLongTexts(text: string): string {
  const kept: string[] = []
  let keptFrom = 0
  let components = 0
  let linesOfOne = 0
  for (const { start, end } of listLines(text)) {
    linesOfOne += 1
    if (isAt(text, start, 'BEGIN:')) {
      components += 1
      if (WHOLE_COMPONENT.test(text.slice(start, Math.min(end, start + 20)))) linesOfOne = 1
    }
    if (components > MAX_COMPONENTS) throw toError('The calendar has more than 100,000 entries.')
    if (linesOfOne > MAX_LINES_OF_EVENT) throw toError('An event of the calendar has more than 50,000 lines.')
    if (end - start <= MAX_LINE_LENGTH) continue
    if (!LONG_TEXT.test(text.slice(start, start + 100)))
      throw toError('The calendar has a line of more than 500,000 characters.')
    kept.push(text.slice(keptFrom, start))
    keptFrom = end
  }
  return kept.length === 0 ? text : [...kept, text.slice(keptFrom)].join('')
}

/** Yields the range of each line. A continuation line begins with a space or a tab. Source: RFC 5545 §3.1. */
function* listLines(text: string): Generator<{ readonly start: number; readonly end: number }> {
  const ends = /\r\n(?![ \t])|\r(?![\n \t])|\n(?![ \t])/g
  let start = 0
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    yield { start, end: ends.lastIndex }
    start = ends.lastIndex
  }
  yield { start, end: text.length }
}

function isAt(text: string, start: number, word: string): boolean {
  return text.slice(start, start + word.length).toUpperCase() === word
}

function toError(words: string): CalendarTooLargeError {
  return new CalendarTooLargeError('refused', words)
}

/**
 * Maximum size of any calendar server's response, in bytes. Twenty thousand events, the most that are compared (rule
 * G25), take about 10 MB; SabreDAV, the server in Nextcloud, allows as much for one object. Google imports files of up
 * to 1 MB.
 */
export const MAX_FILE_BYTES = 10_000_000

/** Translates a response that was too large; null for any other error. */
export function toTooLargeError(error: unknown): CalendarTooLargeError | null {
  if (!(error instanceof OwnerUrlError) || error.problem !== 'too_large') return null
  return new CalendarTooLargeError('refused', error.message, { cause: error })
}
