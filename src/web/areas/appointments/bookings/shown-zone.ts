import { MACHINE_LOCALE } from '#core/shared/locale.ts'
import type { ZoneChoice } from './booking-draft.ts'

/** The zone of the calendar and that of the visitor, with what they are called for the shown day. */
export type Zones = { readonly calendar: string; readonly visitor: string }

/**
 * The zone that is shown until the visitor switches: for meetings in person the zone of the calendar, online the
 * visitor's own. Source: rule T21.
 */
export function defaultZone(type: { readonly is_online: boolean } | null): ZoneChoice {
  return type?.is_online ? 'visitor' : 'calendar'
}

/** Whether two names mean the same zone (`Asia/Calcutta` and `Asia/Kolkata` do). */
export function isSameZone(a: string, b: string): boolean {
  return a === b || canonicalName(a) === canonicalName(b)
}

function canonicalName(timeZone: string): string {
  return new Intl.DateTimeFormat(MACHINE_LOCALE, { timeZone }).resolvedOptions().timeZone
}
