import { createHash } from 'node:crypto'

/** Maximum length of an id that the index accepts; longer ids are stored as a hash. */
const LONGEST_ID = 500

/** Returns the key of an event in our copy. */
export function toEventKey(eventId: string): string {
  const id = toStorableText(eventId)
  return id.length <= LONGEST_ID && id === eventId ? id : createHash('sha256').update(eventId).digest('hex')
}

/** Removes characters that PostgreSQL text cannot store: NUL characters and lone surrogates. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
