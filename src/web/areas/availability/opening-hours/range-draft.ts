import type { AvailabilityBody } from '#contract/availability/opening-hours.ts'
import { findDraft } from '#web/shared/draft.ts'

/** A range that somebody was adding when they had to log in again, and in which form: a day's own or the general one. */
export type RangeDraft = { values: AvailabilityBody; inRow: boolean }

export function findRangeDraft(calendarId: string): RangeDraft | undefined {
  return findDraft(rangeDraftKey(calendarId))
}

export function rangeDraftKey(calendarId: string): string {
  return `availability-range:${calendarId}`
}
