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
  /** RFC 1035, with a port and the dot of the root. */
  hostName: 260,
  /** What an owner may type as a domain; the longest name of the DNS. */
  domain: 253,
  /** Days from the first to the last that somebody on a waiting list may name, and how far ahead they may lie. */
  waitingDays: 92,
  waitingDaysAhead: 365,
  /** The sentences about a policy; the longest has 700. */
  policyText: 2_000,
  typeName: 100,
  typeDescription: 2_000,
  typeDurationMin: 5,
  /** A day. A longer type could never fit an opening that customers see as one appointment. Source: rule C12. */
  typeDurationMax: 1_440,
  /** 100,000.00 in minor units. */
  priceCents: 10_000_000,
  typesPerCalendar: 100,
  stripePriceId: 255,
  paypalClientId: 200,
  paypalClientSecret: 200,
  /** What a provider adds to the address when it sends an owner back. */
  oauthCode: 2_000,
  url: 500,
  /** Accounts at providers of calendars. */
  connectionsPerOwner: 20,
  calendarsPerConnection: 200,
  /** Events of one external calendar that are noted because they cannot be read, and those of them that the owner sees by their titles. */
  unreadableEvents: 1_000,
  unreadableTitles: 20,
  unreadableTitle: 100,
  /** Pages of a list; more than any calendar has. */
  pages: 1_000_000,
  locationName: 100,
  locationAddress: 300,
  /** Calendars of other owners that one location can have. */
  locationGuests: 100,
  sharingCode: 40,
  locationsPerOwner: 200,
  /** Longest appointment that an owner makes without a type. Source: rule O5. */
  ownDurationMax: 480,
  customerSearch: 100,
  customerNotes: 10_000,
  /** Customers that one search answers with. */
  customerMatches: 10,
  passwordMin: 8,
  passwordMax: 128,
  /** Room for a backup code with blanks. */
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
  /** Days that one question about free days may span. */
  daysRange: 62,
  pageSize: 10,
  /** Opening ranges that one weekday may have. Source: rule T25. */
  rangesPerWeekday: 20,
  /** Entries of special days that are not over, in one calendar; the days of one entry; the characters of its note. Source: rule T35. */
  specialDays: 100,
  specialDaysLength: 366,
  specialDaysNote: 100,
  /** What is searched for in the list of appointments. */
  appointmentSearch: 100,
  /** Days that the day and week view asks for at once. */
  agendaDays: 7,
  /** Appointments that the day and week view shows at once: more than a week of 15-minute ones around the clock. */
  agendaAppointments: 1_000,
  contactSubject: 150,
  contactMessage: 5_000,
  /** Messages to the operator from one client address. */
  contactMessagesPerHour: 10,
  /** The welcome message and the footer of a booking page. Source: rule K5. */
  brandingText: 20_000,
  /** In characters and in bytes. Source: rule K6. */
  customCss: 32_768,
  /** A logo as a file, in bytes, and as base64. Source: rule K4. */
  logoBytes: 2 * 1024 * 1024,
  operatorName: 200,
  operatorAddress: 500,
} as const

/** Colour of a calendar or a type until the owner chooses one (rule C1). */
export const DEFAULT_COLOR = '#3498db'

/** The colours of a booking page until its owner chooses others (rule K1). */
export const DEFAULT_PRIMARY_COLOR = '#3B82F6'
export const DEFAULT_SECONDARY_COLOR = '#10B981'

/** Categories a professional chooses from, besides a custom entry (rule C1). */
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

/** A reminder until its owner writes another one (rule M17). */
export const DEFAULT_REMINDER_HOURS = 24
export const DEFAULT_REMINDER_SUBJECT = 'Reminder: Your upcoming appointment'
export const DEFAULT_REMINDER_TEMPLATE = `Hello {customer_name},

This is a reminder of your appointment with {calendar_name} on {date} at {time}.

We look forward to seeing you.`

/** Time zones that are listed first, as most people look for one of them. Source: rule C8. */
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
