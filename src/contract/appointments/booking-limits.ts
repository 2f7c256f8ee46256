/**
 * The limits and the default time zone that the booking page needs. A separate file, to keep the page's scripts small;
 * `limits.ts` has all limits.
 */
export const BOOKING_LIMITS = {
  personName: 200,
  /** Maximum length of an email address. RFC 5321 §4.5.3.1.3: a path is at most 256 octets with its angle brackets. */
  email: 254,
  phone: 40,
  appointmentTitle: 200,
  appointmentDescription: 5_000,
  hiddenField: 200,
  /** Maximum time that the booking form can report as open, in milliseconds: one day. Longer times are sent as one day. */
  formOpenMs: 86_400_000,
} as const

export const DEFAULT_TIME_ZONE = 'Europe/London'
