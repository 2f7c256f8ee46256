import { LIMITS } from '#contract/shared/limits.ts'
import { hasVisibleCharacters, removeBidiControls, truncateText } from '#core/shared/text.ts'
import type { ExternalChange, UnreadablePart } from '#server/ports/external-calendar.ts'
import { toEventKey, toStorableText } from './to-event-key.ts'

/** An event that cannot be fully read, identified by `toEventKey`. */
export type UnreadableRow = {
  readonly eventId: string
  readonly title: string | null
  readonly part: UnreadablePart
}

/** Returns the row of an unreadable event; null when the event can be read, or was deleted. Source: rule G30. */
export function toUnreadableRow({ eventId, event }: ExternalChange): UnreadableRow | null {
  const part = event?.unreadable ?? null
  return part === null ? null : { eventId: toEventKey(eventId), title: toTitle(event?.title ?? ''), part }
}

/** Reduces a title to one line without bidirectional control characters. */
function toTitle(sent: string): string | null {
  const line = removeBidiControls(toStorableText(truncateText(sent, 10 * LIMITS.unreadableTitle)))
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const title = truncateText(line, LIMITS.unreadableTitle).trim()
  return hasVisibleCharacters(title) ? title : null
}
