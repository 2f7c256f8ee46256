import type { ExternalChange } from '#server/ports/external-calendar.ts'
import type { BusyRow } from './sync-repository.ts'
import { toEventKey, toStorableText } from './to-event-key.ts'

const LONGEST_TITLE = 300

/**
 * The busy times of an event as they are stored. What cannot be stored, because a provider sent nonsense, is left out: one odd
 * event never stops the others.
 */
export function toBusyRows({ eventId, event }: ExternalChange): Omit<BusyRow, 'appointmentCalendarId'>[] {
  const rows = (event?.occurrences ?? [])
    .filter(({ startMs, endMs }) => isInstant(startMs) && isInstant(endMs) && startMs < endMs)
    .map(({ key, startMs, endMs, isAllDay }) => ({
      eventId: toEventKey(eventId),
      occurrence: toEventKey(key),
      startsAt: new Date(startMs).toISOString(),
      endsAt: new Date(endMs).toISOString(),
      title: toTitle(event?.title ?? null),
      isAllDay,
    }))
  return [...new Map(rows.map((row) => [row.occurrence, row])).values()]
}

function toTitle(title: string | null): string | null {
  const text = toStorableText(title ?? '').trim()
  return text === '' ? null : toStorableText(text.slice(0, LONGEST_TITLE))
}

/** Years from 1 to 9999, as RFC 3339 writes them. */
function isInstant(ms: number): boolean {
  return ms >= -62_135_596_800_000 && ms <= 253_402_300_799_000
}
