import { createHash } from 'node:crypto'

/** What an index takes; longer ids are stored by their hash. */
const LONGEST_ID = 500

/** The name of an event in our copy. */
export function toEventKey(eventId: string): string {
  const id = toStorableText(eventId)
  return id.length <= LONGEST_ID && id === eventId ? id : createHash('sha256').update(eventId).digest('hex')
}

/** Text without what PostgreSQL does not take: zero characters and halves of characters. */
export function toStorableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}
