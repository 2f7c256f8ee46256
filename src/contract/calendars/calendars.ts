import { z } from 'zod'
import { policySchema } from '#contract/appointments/policies.ts'
import { locationSummary } from '#contract/availability/location-summary.ts'
import { reminderSettingsBody, reminderSettingsSchema } from '#contract/messages/reminder-settings.ts'
import { changesOf } from '#contract/shared/changes.ts'
import { toAsciiSite } from '#contract/shared/international-names.ts'
import { DEFAULT_COLOR, DEFAULT_TITLE_TEMPLATE, LIMITS } from '#contract/shared/limits.ts'
import {
  anyText,
  colorSchema,
  idOf,
  idSchema,
  instantSchema,
  line,
  paragraph,
} from '#contract/shared/primitives.ts'
import { isValidSlug } from '#core/addresses/slug.ts'
import { toEmbedSite } from '#core/calendars/embed-site.ts'
import { personSchema } from './people.ts'

const domainSettings = z.object({
  type: z.enum(['path', 'subdomain', 'custom']),
  path: z.string().nullable(),
  subdomain: z.string().nullable(),
  custom_domain: z.string().nullable(),
})

/** A calendar as its owner sees it (rule C1). */
export const calendarSchema = z.object({
  id: idSchema,
  user_id: idSchema,
  /** Whose time is booked on it. Source: rule T38. */
  person: personSchema,
  slug: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  color: colorSchema,
  category: z.string().nullable(),
  professional_first_name: z.string().nullable(),
  professional_last_name: z.string().nullable(),
  timezone: z.string(),
  appointment_title_required: z.boolean(),
  default_appointment_title: z.string().nullable(),
  /** Whether customers can pay online. Source: rule F1. */
  payment_enabled: z.boolean(),
  payment_required: z.boolean(),
  /** Whether a booking counts only once its customer has typed the code that was sent to their email address. */
  email_confirmation_required: z.boolean(),
  /** What customers may change about an appointment. Source: rule Q1. */
  policy: policySchema,
  /** The origins of the websites that may show the booking page in a frame. Null means that any website may. Source: rule W19. */
  embed_sites: z.array(z.string()).nullable(),
  /** A Google account is read or written for it, or read for another calendar of the same person. Source: rule G32. */
  is_connected_to_google: z.boolean(),
  reminder_settings: reminderSettingsSchema,
  /** The address that every email comes from, and the sender of reminders until the owner names one. Source: rule M18. */
  product_email: z.string(),
  domain_settings: domainSettings,
  /** Where customers book, absolute. Source: rule C6. */
  public_url: z.string(),
  created_at: instantSchema,
  updated_at: instantSchema,
})
export type Calendar = z.infer<typeof calendarSchema>
export const calendarsResponse = z.object({ calendars: z.array(calendarSchema) })

export const createCalendarBody = z.object({
  name: line(LIMITS.calendarName, 'calendar.name_required').min(1, 'calendar.name_required'),
  description: paragraph(LIMITS.calendarDescription).default(''),
  category: line(LIMITS.category).default(''),
  /** Empty or absent: made from the name, with a suffix when it is taken. A typed one is refused when it is taken. */
  slug: line(LIMITS.slug).toLowerCase().default(''),
  color: colorSchema.default(DEFAULT_COLOR),
  timezone: line(LIMITS.timeZone).optional(),
  appointment_title_required: z.boolean().default(true),
  default_appointment_title: line(LIMITS.titleTemplate).default(DEFAULT_TITLE_TEMPLATE),
  payment_required: z.boolean().default(false),
  /** Whose time is booked on it. Empty or absent: the owner's. Source: rule T38. */
  person_name: line(LIMITS.personName).default(''),
})
export type CreateCalendarBody = z.input<typeof createCalendarBody>

const isEmbedSite = (typed: string) => toEmbedSite(typed) !== null

/**
 * What an owner may change of a calendar: everything that it was created with but its booking link, and its reminders
 * (rule C7). Of the reminders, too, what is absent stays as it is.
 */
export const calendarChanges = changesOf({
  name: line(LIMITS.calendarName, 'calendar.name_required').min(1, 'calendar.name_required'),
  description: paragraph(LIMITS.calendarDescription),
  color: colorSchema,
  appointment_title_required: z.boolean(),
  default_appointment_title: line(LIMITS.titleTemplate),
  professional_first_name: line(LIMITS.personName),
  professional_last_name: line(LIMITS.personName),
  category: line(LIMITS.category),
  timezone: line(LIMITS.timeZone),
  email_confirmation_required: z.boolean(),
  policy: policySchema,
  embed_sites: z
    .array(line(LIMITS.embedSite).overwrite(toAsciiSite).refine(isEmbedSite, 'calendar.embed_site_invalid'))
    .max(LIMITS.embedSites, 'calendar.embed_sites_too_many')
    .nullable(),
  reminder_settings: reminderSettingsBody.partial(),
})
export type CalendarChanges = z.input<typeof calendarChanges>

/** What lies ahead on a calendar, for questions such as whether to delete it. */
export const calendarOutlook = z.object({
  /** Future appointments: neither cancelled nor unpaid holds. */
  future_appointments: z.number().int(),
  /** How many of them have a customer who cannot be told by mail. */
  without_email: z.number().int(),
  /** How many of them are paid for. Deleting the calendar gives none of that back. */
  paid: z.number().int(),
  next_appointment: z
    .object({
      customer_name: z.string(),
      starts_at: instantSchema,
      /** The zone of the customer where it is known, else that of the calendar. */
      time_zone: z.string(),
    })
    .nullable(),
})
export type CalendarOutlook = z.infer<typeof calendarOutlook>

/** A malformed id names nothing: it is refused like an unknown one. Source: rule X3. */
export const calendarParams = z.object({ id: idOf('calendar.not_found') })

/** A booking link in an address. A malformed one names no calendar and is refused like an unknown one. */
export const bookingLinkParams = z.object({
  slug: anyText().max(LIMITS.slug, 'calendar.not_found').refine(isValidSlug, 'calendar.not_found'),
})

/** What anyone with the link may know of a calendar. */
export const publicCalendarSchema = z.object({
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
  /** The page shows them in place of a logo. Empty when the name has no letters. */
  professional_initials: z.string(),
  category: z.string().nullable(),
  payment_required: z.boolean(),
  timezone: z.string(),
  /** The primary location: where appointments without a type take place (rule T14). */
  location: locationSummary.nullable(),
  /** What customers may change about an appointment whose type has no policy of its own. Source: rule Q1. */
  policy: policySchema,
  /** The same in sentences, for an appointment without a type. Source: rule Q7. */
  policy_text: z.string(),
  /** It takes no new bookings, because the plan of its owner allows fewer calendars (rule S13). */
  is_paused: z.boolean(),
})
export type PublicCalendar = z.infer<typeof publicCalendarSchema>

export const publicPaymentProviders = z.object({
  stripe_connected: z.boolean(),
  paypal_connected: z.boolean(),
  /** What a customer has to know before they pay: that no real money moves. */
  note: z.string().nullable(),
})
export type PublicPaymentProviders = z.infer<typeof publicPaymentProviders>
