import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { z } from 'zod'
import { CalendarTooLargeError } from '#server/ports/external-calendar.ts'

/**
 * What a cursor has to remember of a server that cannot tell what changed: which events there were, each with a mark of its content.
 * Events without a time in the window are left out, so it grows with the window and not with the years.
 */
export type KnownEvents = ReadonlyMap<string, string>

/** Of an owner's calendar, for two years. */
export const MAX_KNOWN_EVENTS = 20_000
/** What that many names take, unpacked: a stored cursor is not trusted further. */
const MAX_UNPACKED_BYTES = 20_000_000
/** Each sync reads the cursor. As many as there may be, with long names, take half of it. */
const MAX_PACKED_LENGTH = 3_000_000

const entries = z.array(z.tuple([z.string(), z.string()]))

/** Ten thousand events take some 300 kB. @throws CalendarTooLargeError */
export function packKnownEvents(known: KnownEvents): string {
  const packed = deflateRawSync(JSON.stringify([...known])).toString('base64')
  if (packed.length > MAX_PACKED_LENGTH)
    throw new CalendarTooLargeError('refused', 'The calendar has events with names that are too long.')
  return packed
}

/** @throws when it is not what `packKnownEvents` made */
export function unpackKnownEvents(packed: string): KnownEvents {
  const text = inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: MAX_UNPACKED_BYTES })
  return new Map(entries.parse(JSON.parse(text.toString('utf8'))))
}

/** A short mark of a content: another content has another one. */
export function hashContent(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 11)
}
