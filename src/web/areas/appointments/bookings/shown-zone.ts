import { MACHINE_LOCALE } from '#core/shared/locale.ts'
import type { ZoneKind } from './booking-draft.ts'

/** The IANA names of the calendar's and the visitor's time zones. */
export type TimeZonesOfPage = { readonly calendar: string; readonly visitor: string }

/**
 * Returns the zone in which times are shown until the visitor switches: the calendar's zone for appointments in person,
 * the visitor's for online appointments. Source: rule T21.
 */
export function defaultZoneKind(type: { readonly is_online: boolean } | null): ZoneKind {
  return type?.is_online ? 'visitor' : 'calendar'
}

/** True if two names refer to the same time zone, such as `Asia/Calcutta` and `Asia/Kolkata`. */
export function isSameZone(a: string, b: string): boolean {
  return a === b || canonicalName(a) === canonicalName(b)
}

function canonicalName(timeZone: string): string {
  return new Intl.DateTimeFormat(MACHINE_LOCALE, { timeZone }).resolvedOptions().timeZone
}
