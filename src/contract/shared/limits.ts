import { BOOKING_LIMITS } from '#contract/appointments/booking-limits.ts'
import { ANSWER_LIMITS } from '#core/appointments/questions.ts'
import { SLOT_RULE_LIMITS } from '#core/slots/slot-rules.ts'

export { DEFAULT_TIME_ZONE } from '#contract/appointments/booking-limits.ts'

/**
 * The limits of every input, in one file without zod, so that forms on the small booking page can import them. Lengths are in
 * UTF-16 code units, durations in minutes. Source: rule X5.
 */
export const LIMITS = {
  ...BOOKING_LIMITS,
  ...SLOT_RULE_LIMITS,
  bio: 2_000,
  calendarName: 100,
  calendarDescription: 2_000,
  category: 60,
  /** Maximum number of websites that may embed a booking page, and maximum length of each website's URL. Source: rule W19. */
  embedSites: 20,
  embedSite: 300,
  titleTemplate: 200,
  slug: 60,
  /** Maximum length of a host name: the longest name that RFC 1035 allows, with a port and a final dot. */
  hostName: 260,
  /** Maximum length of a custom domain: the longest name that DNS allows. */
  domain: 253,
  /** Maximum date range of a waiting-list request, and how far ahead it may lie, in days. */
  waitingDays: 92,
  waitingDaysAhead: 365,
  /** Maximum length of a policy as text. The longest policies have about 700 characters. */
  policyText: 2_000,
  typeName: 100,
  typeDescription: 2_000,
  typeDurationMin: 5,
  /**
   * Maximum duration of an appointment type: one day, because a longer appointment never fits into opening hours. Source: rule
   * C12.
   */
  typeDurationMax: 1_440,
  /** Maximum price: 100,000.00 in minor units. */
  priceCents: 10_000_000,
  feeNote: 80,
  typesPerCalendar: 100,
  stripePriceId: 255,
  paypalClientId: 200,
  paypalClientSecret: 200,
  /** Maximum length of the code and of the state that a provider adds to the redirect URL. */
  oauthCode: 2_000,
  url: 500,
  /** Maximum number of connected accounts at calendar providers. */
  connectionsPerOwner: 20,
  calendarsPerConnection: 200,
  /**
   * Unreadable events of one external calendar: maximum number stored, maximum number of titles shown, and maximum length of a
   * title.
   */
  unreadableEvents: 1_000,
  unreadableTitles: 20,
  unreadableTitle: 100,
  /** Maximum page number of a list; no calendar has that many pages. */
  pages: 1_000_000,
  locationName: 100,
  locationAddress: 300,
  /** Maximum number of other owners' calendars that may use one location. */
  locationGuests: 100,
  sharingCode: 40,
  locationsPerOwner: 200,
  /** Maximum duration of an appointment without a type that an owner books. Source: rule O5. */
  ownDurationMax: 480,
  customerSearch: 100,
  customerNotes: 10_000,
  /** Maximum number of results of a customer search. */
  customerMatches: 10,
  passwordMin: 8,
  passwordMax: 128,
  /** Maximum length of a second-factor code: long enough for a backup code with spaces. */
  secondFactorCode: 32,
  nameMin: 2,
  /** Maximum length of the code that confirms an email address, including spaces. */
  emailCode: 20,
  idempotencyKey: 128,
  timeZone: 64,
  /** Minimum and maximum time before the appointment, in hours (rule M14). */
  reminderHoursMin: 1,
  reminderHoursMax: 72,
  reminderTemplate: 2_000,
  reminderSubject: 200,
  /** Maximum number of days in one request for available days. */
  daysRange: 62,
  pageSize: 10,
  /** Entries on a page of the activity of a calendar. */
  activityPage: 20,
  /** Changed rows of settings that a calendar keeps, as its triggers know it. Source: rule C21. */
  settingChangesPerCalendar: 20_000,
  /** Refused bookings that a calendar keeps. Source: rule T75. */
  refusalsPerCalendar: 5_000,
  /** Maximum number of opening ranges on one weekday. Source: rule T25. */
  rangesPerWeekday: 20,
  /**
   * Maximums for special days: current and future entries per calendar, days per entry, characters of its notes. Source: rule T35.
   */
  specialDays: 100,
  specialDaysLength: 366,
  specialDaysNote: 100,
  specialDaysPublicNote: 200,
  /** Maximum length of the code of a country or region, and number of holidays in one request. Source: rule T56. */
  holidayRegion: 20,
  holidays: 100,
  questions: 20,
  /** Maximum length of a question, of its help and of each choice. */
  question: 200,
  questionChoices: 30,
  answer: ANSWER_LIMITS.text,
  /** Maximum length of the search text for the list of appointments. */
  appointmentSearch: 100,
  /** Maximum number of days in one request of the day and week view. */
  agendaDays: 7,
  /**
   * Maximum number of appointments in one response for the day and week view: more than a week of 15-minute appointments around
   * the clock.
   */
  agendaAppointments: 1_000,
  contactSubject: 150,
  contactMessage: 5_000,
  /** Maximum number of messages to the operator from one client address per hour. */
  contactMessagesPerHour: 10,
  /** Maximum length of a booking page's welcome message and of its footer. Source: rule K5. */
  brandingText: 20_000,
  /** Maximum size of custom CSS, both in characters and in bytes. Source: rule K6. */
  customCss: 32_768,
  /** Maximum size of a logo file, in bytes. Source: rule K4. */
  logoBytes: 2 * 1024 * 1024,
  operatorName: 200,
  operatorAddress: 500,
} as const

/** The default colour of calendars and types (rule C1). */
export const DEFAULT_COLOR = '#3498db'

/** The default colours of a booking page (rule K1). */
export const DEFAULT_PRIMARY_COLOR = '#3B82F6'
export const DEFAULT_SECONDARY_COLOR = '#10B981'

/** Suggested categories for a calendar; owners can also type their own (rule C1). */
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
export const COMMON_TIME_ZONES = [
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
