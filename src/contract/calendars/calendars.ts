import { z } from 'zod'
import { policySchema } from '#contract/appointments/policies.ts'
import { questionSchema } from '#contract/appointments/questions.ts'
import { locationSummary } from '#contract/availability/location-summary.ts'
import { reminderSettingsBody, reminderSettingsSchema } from '#contract/messages/reminder-settings.ts'
import { partialUpdateSchema } from '#contract/shared/changes.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { toAsciiWebsiteUrl } from '#contract/shared/international-names.ts'
import { DEFAULT_COLOR, DEFAULT_TITLE_TEMPLATE, LIMITS } from '#contract/shared/limits.ts'
import {
  colorSchema,
  hourCycleSchema,
  idSchema,
  idSchemaWithError,
  instantSchema,
  multilineTextSchema,
  singleLineSchema,
  storableTextSchema,
} from '#contract/shared/primitives.ts'
import { bookableDatesShape } from '#contract/slots/booking-window.ts'
import { isValidSlug } from '#core/addresses/slug.ts'
import { toEmbedSite } from '#core/calendars/embed-site.ts'
import { DEFAULT_HOUR_CYCLE } from '#core/shared/hour-cycle.ts'
import { personSchema } from './people.ts'

const domainSettings = z.object({
  type: z.enum(['path', 'subdomain', 'custom']),
  path: z.string().nullable(),
  subdomain: z.string().nullable(),
  custom_domain: z.string().nullable(),
})

/** A calendar as its owner sees it (rule C1). */
export const calendarSchema = componentSchema('Calendar', {
  id: idSchema,
  user_id: idSchema,
  /** The person whose time is booked. Source: rule T38. */
  person: personSchema,
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  color: colorSchema,
  category: z.string().nullable(),
  professional_first_name: z.string().nullable(),
  professional_last_name: z.string().nullable(),
  timezone: z.string(),
  /** The clock on which times of the calendar are shown. Source: rule W24. */
  hour_cycle: hourCycleSchema,
  appointment_title_required: z.boolean(),
  default_appointment_title: z.string().nullable(),
  /** True when customers can pay online. Source: rule F1. */
  payment_enabled: z.boolean(),
  payment_required: z.boolean(),
  /** True when customers must confirm a booking with an emailed code. */
  email_confirmation_required: z.boolean(),
  /** The policy of appointment types without their own policy. Source: rule Q1. */
  policy: policySchema,
  /** False while the owner has turned bookings off. Source: rule C17. */
  takes_bookings: z.boolean(),
  /** The origins of the websites that may embed the booking page in a frame. Null allows every website. Source: rule W19. */
  embed_sites: z.array(z.string()).nullable(),
  /**
   * True when the calendar reads or writes a Google account, or another calendar of the same person reads one. Source: rule G32.
   */
  is_connected_to_google: z.boolean(),
  reminder_settings: reminderSettingsSchema,
  /** Meridian's email address, which sends every email. Source: rule M18. */
  product_email: z.string(),
  domain_settings: domainSettings,
  /** The absolute URL of the booking page. Source: rule C6. */
  public_url: z.string(),
  created_at: instantSchema,
  updated_at: instantSchema,
})
export type Calendar = z.infer<typeof calendarSchema>
export const calendarsResponse = componentSchema('Calendars', { calendars: z.array(calendarSchema) })

export const createCalendarBody = componentSchema('NewCalendar', {
  name: singleLineSchema(LIMITS.calendarName, 'calendar.name_required').min(1, 'calendar.name_required'),
  description: multilineTextSchema(LIMITS.calendarDescription).default(''),
  category: singleLineSchema(LIMITS.category).default(''),
  /**
   * When empty or absent, the slug is derived from the name, with a suffix if it is taken. A typed slug is refused if it is
   * taken.
   */
  slug: singleLineSchema(LIMITS.slug).toLowerCase().default(''),
  color: colorSchema.default(DEFAULT_COLOR),
  timezone: singleLineSchema(LIMITS.timeZone).optional(),
  hour_cycle: hourCycleSchema.default(DEFAULT_HOUR_CYCLE),
  appointment_title_required: z.boolean().default(true),
  default_appointment_title: singleLineSchema(LIMITS.titleTemplate).default(DEFAULT_TITLE_TEMPLATE),
  payment_required: z.boolean().default(false),
  /** The person whose time is booked; empty or absent for the owner. Source: rule T38. */
  person_name: singleLineSchema(LIMITS.personName).default(''),
})
export type CreateCalendarBody = z.input<typeof createCalendarBody>

/**
 * A copy of a calendar. It has the settings of the original, and neither appointments nor customers. Source: rule C16.
 */
export const duplicateCalendarBody = componentSchema('CalendarCopy', {
  name: singleLineSchema(LIMITS.calendarName, 'calendar.name_required').min(1, 'calendar.name_required'),
  /** Absent for the colour of the original. */
  color: colorSchema.optional(),
})
export type DuplicateCalendarBody = z.input<typeof duplicateCalendarBody>

const isEmbedSite = (typed: string) => toEmbedSite(typed) !== null

/**
 * The settings that an owner can change: those of a new calendar except the booking link, and more (rule C7). Absent fields stay
 * unchanged, also within `reminder_settings`.
 */
export const calendarChanges = partialUpdateSchema({
  name: singleLineSchema(LIMITS.calendarName, 'calendar.name_required').min(1, 'calendar.name_required'),
  description: multilineTextSchema(LIMITS.calendarDescription),
  color: colorSchema,
  appointment_title_required: z.boolean(),
  default_appointment_title: singleLineSchema(LIMITS.titleTemplate),
  professional_first_name: singleLineSchema(LIMITS.personName),
  professional_last_name: singleLineSchema(LIMITS.personName),
  category: singleLineSchema(LIMITS.category),
  timezone: singleLineSchema(LIMITS.timeZone),
  hour_cycle: hourCycleSchema,
  email_confirmation_required: z.boolean(),
  takes_bookings: z.boolean(),
  policy: policySchema,
  embed_sites: z
    .array(
      singleLineSchema(LIMITS.embedSite)
        .overwrite(toAsciiWebsiteUrl)
        .refine(isEmbedSite, 'calendar.embed_site_invalid'),
    )
    .max(LIMITS.embedSites, 'calendar.embed_sites_too_many')
    .nullable(),
  reminder_settings: reminderSettingsBody.partial(),
}).meta({ id: 'CalendarChanges' })
export type CalendarChanges = z.input<typeof calendarChanges>

/** A calendar's future appointments, shown for example before the calendar is deleted. */
export const futureAppointmentsSummary = componentSchema('CalendarOutlook', {
  /** The number of future appointments, excluding cancelled ones and unpaid holds. */
  future_appointments: z.number().int(),
  /** The number of these appointments whose customers have no email address. */
  without_email: z.number().int(),
  /** The number of these appointments that are paid. Deleting the calendar refunds none of them. */
  paid: z.number().int(),
  next_appointment: z
    .object({
      customer_name: z.string(),
      starts_at: instantSchema,
      /** The customer's time zone when known; otherwise the calendar's. */
      time_zone: z.string(),
      hour_cycle: hourCycleSchema,
    })
    .nullable(),
})
export type FutureAppointmentsSummary = z.infer<typeof futureAppointmentsSummary>

/** A malformed id is refused like an unknown id. Source: rule X3. */
export const calendarParams = z.object({ id: idSchemaWithError('calendar.not_found') })

/** A booking link in a path. A malformed slug is refused like an unknown slug. */
export const bookingLinkParams = z.object({
  slug: storableTextSchema().max(LIMITS.slug, 'calendar.not_found').refine(isValidSlug, 'calendar.not_found'),
})

/** The type in the booking link that a visitor opened. An id that no type has is ignored. Source: rule T66. */
export const typeLinkQuery = z.object({ type: storableTextSchema().max(LIMITS.url).optional() })

/** A calendar as visitors see it. */
export const publicCalendarSchema = componentSchema('PublicCalendar', {
  calendar_id: idSchema,
  slug: z.string(),
  calendar_name: z.string(),
  calendar_description: z.string().nullable(),
  calendar_color: colorSchema,
  public_url: z.string(),
  created_at: instantSchema,
  updated_at: instantSchema,
  appointment_title_required: z.boolean(),
  default_appointment_title: z.string().nullable(),
  professional_first_name: z.string().nullable(),
  professional_last_name: z.string().nullable(),
  /** Shown instead of a logo. Empty when the name has no letters. */
  professional_initials: z.string(),
  category: z.string().nullable(),
  payment_required: z.boolean(),
  /** True when a booking counts only after the customer typed an emailed code. Source: rule B24. */
  email_confirmation_required: z.boolean(),
  timezone: z.string(),
  /** The clock on which times of the calendar are shown. Source: rule W24. */
  hour_cycle: hourCycleSchema,
  ...bookableDatesShape,
  /** The questions that customers answer, in their order. Source: rule B33. */
  questions: z.array(questionSchema),
  /** The primary location, used for appointments without a type (rule T14). */
  location: locationSummary.nullable(),
  /** The policy of appointment types without their own policy. Source: rule Q1. */
  policy: policySchema,
  /** The policy as text, for appointments without a type. Source: rule Q7. */
  policy_text: z.string(),
  /**
   * True when the calendar takes no new bookings, because the owner's plan allows fewer calendars (rule S13) or the owner has
   * turned bookings off (rule C17).
   */
  is_paused: z.boolean(),
  /** Tells visitors why the page offers nothing without the link of a type; null when it does. Source: rule T65. */
  closed_text: z.string().nullable(),
})
export type PublicCalendar = z.infer<typeof publicCalendarSchema>

export const publicPaymentProviders = componentSchema('PublicPaymentProviders', {
  stripe_connected: z.boolean(),
  paypal_connected: z.boolean(),
  /** A note telling customers that payments are simulated; null when they are real. */
  note: z.string().nullable(),
})
export type PublicPaymentProviders = z.infer<typeof publicPaymentProviders>
