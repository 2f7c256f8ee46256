import type { ExternalChange } from '#server/ports/external-calendar.ts'
import type { BusyRow } from './sync-repository.ts'
import { toEventKey, toStorableText } from './to-event-key.ts'

const LONGEST_TITLE = 300

/**
 * The busy times of an event as stored rows. Invalid occurrences are skipped, so that one malformed event does not stop
 * the sync.
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

/** True for years 1 to 9999, which RFC 3339 can represent. */
function isInstant(ms: number): boolean {
  return ms >= -62_135_596_800_000 && ms <= 253_402_300_799_000
}
