import { findDraft, forgetDraft, keepDraft } from '#web/shared/draft.ts'
import type { CalendarForm } from './calendar-form.ts'

/** A calendar that somebody was typing when they had to log in again. */
export type CalendarDraft = { values: CalendarForm; slugEdited: boolean }

/** Keeps what an owner was typing, for after the login. */
export function keepCalendarDraft(ownerId: string, draft: CalendarDraft): void {
  keepDraft(keyOf(ownerId), draft)
}

/** What this owner was typing, or undefined. */
export function findCalendarDraft(ownerId: string): CalendarDraft | undefined {
  return findDraft<CalendarDraft>(keyOf(ownerId))
}

/** The calendar was created or given up. */
export function forgetCalendarDraft(ownerId: string): void {
  forgetDraft(keyOf(ownerId))
}

function keyOf(ownerId: string): string {
  return `create-calendar:${ownerId}`
}
