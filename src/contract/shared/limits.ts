import { BOOKING_LIMITS } from '#contract/appointments/booking-limits.ts'
import { SLOT_RULE_LIMITS } from '#core/slots/slot-rules.ts'

export { DEFAULT_TIME_ZONE } from '#contract/appointments/booking-limits.ts'

/**
 * The limits of every input, in one file without zod, so that forms on the small booking page can read them. Lengths
 * are in UTF-16 code units, durations in minutes. Source: rule X5.
 */
export const LIMITS = {
  ...BOOKING_LIMITS,
  ...SLOT_RULE_LIMITS,
  bio: 2_000,
  calendarName: 100,
  calendarDescription: 2_000,
  category: 60,
  /** Websites that may show a booking page, and the length of an address of one. Source: rule W19. */
  embedSites: 20,
  embedSite: 300,
  titleTemplate: 200,
  slug: 60,
  /** The longest name of RFC 1035, with a port and a final dot. */
  hostName: 260,
  /** A custom domain; the longest name that DNS allows. */
  domain: 253,
  /** A waiting-list request: the longest date range, and how many days ahead it may lie. */
  waitingDays: 92,
  waitingDaysAhead: 365,
  /** The sentences that describe a policy; the longest have about 700 characters. */
  policyText: 2_000,
  typeName: 100,
  typeDescription: 2_000,
  typeDurationMin: 5,
  /** One day: a longer appointment never fits into an opening. Source: rule C12. */
  typeDurationMax: 1_440,
  /** 100,000.00 in minor units. */
  priceCents: 10_000_000,
  typesPerCalendar: 100,
  stripePriceId: 255,
  paypalClientId: 200,
  paypalClientSecret: 200,
  /** The code and the state that a provider adds to the redirect URL. */
  oauthCode: 2_000,
  url: 500,
  /** Connected accounts at calendar providers. */
  connectionsPerOwner: 20,
  calendarsPerConnection: 200,
  /** Unreadable events of one external calendar: how many are stored, how many titles are shown, and the length of a title. */
  unreadableEvents: 1_000,
  unreadableTitles: 20,
  unreadableTitle: 100,
  /** The highest page number of a list; no calendar has as many pages. */
  pages: 1_000_000,
  locationName: 100,
  locationAddress: 300,
  /** Calendars of other owners that can use one location. */
  locationGuests: 100,
  sharingCode: 40,
  locationsPerOwner: 200,
  /** The longest appointment without a type that an owner can book. Source: rule O5. */
  ownDurationMax: 480,
  customerSearch: 100,
  customerNotes: 10_000,
  /** Results of one customer search. */
  customerMatches: 10,
  passwordMin: 8,
  passwordMax: 128,
  /** Long enough for a backup code with spaces. */
  secondFactorCode: 32,
  nameMin: 2,
  /** The code that confirms an email address, with spaces. */
  emailCode: 20,
  idempotencyKey: 128,
  timeZone: 64,
  /** Hours before the appointment (rule M14). */
  reminderHoursMin: 1,
  reminderHoursMax: 72,
  reminderTemplate: 2_000,
  reminderSubject: 200,
  /** The longest range of days in one request for free days. */
  daysRange: 62,
  pageSize: 10,
  /** Opening ranges that one weekday may have. Source: rule T25. */
  rangesPerWeekday: 20,
  /** Special days: current and future entries of a calendar, days of an entry, characters of its note. Source: rule T35. */
  specialDays: 100,
  specialDaysLength: 366,
  specialDaysNote: 100,
  /** The search text of the list of appointments. */
  appointmentSearch: 100,
  /** Days in one request of the day and week view. */
  agendaDays: 7,
  /** Appointments in one answer for the day and week view: more than a week of 15-minute appointments around the clock. */
  agendaAppointments: 1_000,
  contactSubject: 150,
  contactMessage: 5_000,
  /** Messages to the operator from one client address. */
  contactMessagesPerHour: 10,
  /** The welcome message and the footer of a booking page. Source: rule K5. */
  brandingText: 20_000,
  /** In characters and in bytes. Source: rule K6. */
  customCss: 32_768,
  /** The size of a logo file in bytes. Source: rule K4. */
  logoBytes: 2 * 1024 * 1024,
  operatorName: 200,
  operatorAddress: 500,
} as const

/** The default colour of calendars and types (rule C1). */
export const DEFAULT_COLOR = '#3498db'

/** The default colours of a booking page (rule K1). */
export const DEFAULT_PRIMARY_COLOR = '#3B82F6'
export const DEFAULT_SECONDARY_COLOR = '#10B981'

/** The suggested categories of a calendar; owners can also type one (rule C1). */
export const CATEGORIES = [
  'Therapist',
  'Doctor',
  'Consultant',
  'Coach',
  'Lawyer',
  'Teacher',
  'Designer',
  'Developer',
] as const

export const DEFAULT_TITLE_TEMPLATE = 'Appointment with {{calendar_name}}'

/** The default reminder (rule M17). */
export const DEFAULT_REMINDER_HOURS = 24
export const DEFAULT_REMINDER_SUBJECT = 'Reminder: Your upcoming appointment'
export const DEFAULT_REMINDER_TEMPLATE = `Hello {customer_name},

This is a reminder of your appointment with {calendar_name} on {date} at {time}.

We look forward to seeing you.`

/** The most common time zones, listed first. Source: rule C8. */
export const LISTED_TIME_ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Europe/London',
  'Europe/Malta',
  'Europe/Paris',
  'Europe/Berlin',
  'Europe/Rome',
  'Europe/Madrid',
  'Europe/Amsterdam',
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Asia/Kolkata',
  'Australia/Sydney',
  'Pacific/Auckland',
  'UTC',
] as const
