/**
 * What the booking page must know of bounds and zones. A file of its own, because that page must stay small; `limits.ts`
 * has all of them.
 */
export const BOOKING_LIMITS = {
  personName: 200,
  /** RFC 5321 §4.5.3.1.3: a path is at most 256 octets with its angle brackets. */
  email: 254,
  phone: 40,
  appointmentTitle: 200,
  appointmentDescription: 5_000,
  hiddenField: 200,
  /** A day. A form that was open for longer says this. */
  formOpenMs: 86_400_000,
} as const

/** Time zones that are listed first, with the names people know them by (spec §9). */
export const LISTED_TIME_ZONES = [
  ['America/New_York', 'New York'],
  ['America/Chicago', 'Chicago'],
  ['America/Denver', 'Denver'],
  ['America/Los_Angeles', 'Los Angeles'],
  ['Europe/London', 'London'],
  ['Europe/Malta', 'Malta'],
  ['Europe/Paris', 'Paris'],
  ['Europe/Berlin', 'Berlin'],
  ['Europe/Rome', 'Rome'],
  ['Europe/Madrid', 'Madrid'],
  ['Europe/Amsterdam', 'Amsterdam'],
  ['Asia/Tokyo', 'Tokyo'],
  ['Asia/Shanghai', 'Shanghai'],
  ['Asia/Kolkata', 'Kolkata'],
  ['Australia/Sydney', 'Sydney'],
  ['Pacific/Auckland', 'Auckland'],
  ['UTC', 'UTC'],
] as const

export const DEFAULT_TIME_ZONE = 'Europe/London'
