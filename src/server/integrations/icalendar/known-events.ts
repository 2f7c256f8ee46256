import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { CalendarTooLargeError } from '#server/ports/external-calendar.ts'

/**
 * The events that a cursor stores for servers that cannot report changes, each with a hash of its content. Events
 * without a time in the window are omitted, so that cursors do not grow over the years.
 */
export type KnownEventHashes = ReadonlyMap<string, string>

/** Maximum number of events stored in a cursor, for a calendar's events in two years. */
export const MAX_KNOWN_EVENTS = 20_000
/**
 * Maximum size of an unpacked cursor, in bytes: the size of the maximum number of events. A stored cursor is not
 * trusted beyond this.
 */
const MAX_UNPACKED_BYTES = 20_000_000
/**
 * Maximum length of a packed cursor. Each sync loads it. The maximum number of events, with long keys, takes half of
 * it.
 */
const MAX_PACKED_LENGTH = 3_000_000

const entries = z.array(z.tuple([z.string(), z.string()]))

/**
 * Packs the known events into a text for the cursor; ten thousand events take about 300 kB.
 * @throws CalendarTooLargeError
 */
export function packEventHashes(known: KnownEventHashes): string {
  const packed = deflateRawSync(JSON.stringify([...known])).toString('base64')
  if (packed.length > MAX_PACKED_LENGTH)
    throw new CalendarTooLargeError('refused', 'The calendar has events with names that are too long.')
  return packed
}

/** @throws Error when the text was not written by `packEventHashes` */
export function unpackEventHashes(packed: string): KnownEventHashes {
  const text = inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_UNPACKED_BYTES })
  return new Map(entries.parse(JSON.parse(text.toString('utf8'))))
}

/** Returns a short hash of a content. */
export function hashContent(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 11)
}
