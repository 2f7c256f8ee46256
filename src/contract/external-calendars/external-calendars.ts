import { z } from 'zod'
import { partialUpdateSchema } from '#contract/shared/changes.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  idSchema,
  idSchemaWithError,
  instantInputSchema,
  instantSchema,
  isUrl,
  singleLineSchema,
  storableTextSchema,
} from '#contract/shared/primitives.ts'

export const calendarProviderName = z.enum(['google', 'microsoft', 'caldav', 'ics'])
export type CalendarProviderName = z.infer<typeof calendarProviderName>

/**
 * The times that customers are offered while an external calendar cannot be checked. The first value is the default. Source: rule
 * G8.
 */
export const UNCHECKED_CALENDAR_POLICIES = ['trust_copy', 'offer_nothing', 'always_offer'] as const

/** How a calendar uses its owner's external calendars. Source: rules G8, G9 and G12. */
export const externalCalendarSettings = componentSchema('ExternalCalendarSettings', {
  /** The switch 'Auto Sync': writes appointments to the external calendar. */
  auto_sync: z.boolean(),
  /** The switch 'Two-way Sync': applies changes to events in the external calendar to their appointments. */
  two_way_sync: z.boolean(),
  /** True when events have the title 'Booked' and contain nothing about the customer. */
  hide_customer: z.boolean(),
  when_unchecked: z.enum(UNCHECKED_CALENDAR_POLICIES),
})
export type ExternalCalendarSettings = z.infer<typeof externalCalendarSettings>

/**
 * The unreadable part of an event. `date`: the event blocks no time. `times` or `zone`: the event blocks all the time that it
 * could mean. Source: rule G30.
 */
export const unreadableEventPartSchema = z.enum(['date', 'times', 'zone'])
export type UnreadableEventPart = z.infer<typeof unreadableEventPartSchema>

/** A calendar in a connected account. */
export const externalCalendarSchema = componentSchema('ExternalCalendar', {
  id: idSchema,
  name: z.string(),
  color: z.string().nullable(),
  is_primary: z.boolean(),
  can_write: z.boolean(),
  /** True when the provider no longer lists the calendar. */
  is_gone: z.boolean(),
  /** When our copy of its busy times was last up to date; null before the first sync. */
  synced_at: instantSchema.nullable(),
  /** True when the requested calendar reads it. */
  reads_busy_times: z.boolean(),
  /** True when the requested calendar writes its events to it. */
  writes_events: z.boolean(),
  unreadable_events: z.object({
    /** The number of unreadable events, at most 1,000. */
    count: z.number().int(),
    /** Events that block no time come first. */
    first: z.array(z.object({ title: z.string().nullable(), part: unreadableEventPartSchema })),
  }),
  /**
   * Another calendar of the same person that reads this external calendar, so that its events also block the requested calendar;
   * null otherwise. Source: rule G31.
   */
  read_by_other: z.object({ id: idSchema, name: z.string() }).nullable(),
})
export type ExternalCalendar = z.infer<typeof externalCalendarSchema>

export const calendarConnectionSchema = componentSchema('CalendarConnection', {
  id: idSchema,
  provider: calendarProviderName,
  account_name: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
  /** A sentence about the failure of the latest sync; null when it succeeded. */
  problem: z.string().nullable(),
  /** When the syncs started to fail, once the owner has been notified of it; null otherwise. */
  troubled_since: instantSchema.nullable(),
  last_success_at: instantSchema.nullable(),
  next_sync_at: instantSchema,
  /** True when the account allows Meridian to write events. */
  can_write: z.boolean(),
  calendars: z.array(externalCalendarSchema),
})
export type CalendarConnection = z.infer<typeof calendarConnectionSchema>

/** A calendar's connections and external calendars, for the Integrations tab. */
export const externalCalendarsSchema = componentSchema('ExternalCalendars', {
  /** The providers that this installation supports, including those that the owner's plan does not include. */
  offered: z.array(calendarProviderName),
  /** The providers that are sandboxed, each with the page on which events can be added. */
  sandbox: z.array(z.object({ provider: calendarProviderName, page: z.string() })),
  connections: z.array(calendarConnectionSchema),
  settings: externalCalendarSettings,
  /** The number of appointments whose events have not been written yet. */
  waiting_events: z.number().int(),
  /** True when customers are offered no times, because a calendar cannot be checked and `when_unchecked` is `offer_nothing`. */
  offers_nothing: z.boolean(),
})
export type ExternalCalendars = z.infer<typeof externalCalendarsSchema>

/** `id` is the calendar to whose settings the owner returns. */
export const calendarAuthorizationParams = z.object({
  id: idSchemaWithError('calendar.not_found'),
  provider: z.enum(['google', 'microsoft']),
})
/** The pages with a button that connects a provider. After the consent, the provider leads back to the page that was used. */
export const CONSENT_RETURN_PAGES = ['setup', 'settings', 'dashboard'] as const
export type ConsentReturnPage = (typeof CONSENT_RETURN_PAGES)[number]

export const calendarAuthorizationBody = componentSchema('NewCalendarAuthorization', {
  /** `read`: busy times only. `write`: also write the events of appointments. */
  access: z.enum(['read', 'write']).default('read'),
  /** The connection to renew; absent for a new connection. */
  connection_id: idSchema.optional(),
  /** The page where the owner sets out. The provider's page leads back to it, whatever the owner decides there. */
  returns_to: z.enum(CONSENT_RETURN_PAGES).default('settings'),
})
export type CalendarAuthorizationBody = z.input<typeof calendarAuthorizationBody>
export const calendarAuthorizationResponse = componentSchema('CalendarAuthorization', {
  authorization_url: z.string(),
})

export const oauthCallbackParams = z.object({ provider: z.enum(['google', 'microsoft']) })
/** The query parameters of the provider's redirect: a code or an error (RFC 6749 §4.1.2). */
export const oauthCallbackQuery = z.object({
  state: singleLineSchema(LIMITS.oauthCode).default(''),
  code: singleLineSchema(LIMITS.oauthCode).default(''),
  error: singleLineSchema(LIMITS.oauthCode).default(''),
})

/** Microsoft validates a webhook's URL before using it. The response must repeat the token. */
export const microsoftNotificationQuery = z.object({
  validationToken: singleLineSchema(LIMITS.oauthCode).optional(),
})
/** A webhook request from Microsoft. Source: learn.microsoft.com, "changeNotificationCollection resource type". */
export const microsoftNotifications = z.object({
  value: z
    .array(
      z.object({
        subscriptionId: singleLineSchema(LIMITS.url),
        clientState: singleLineSchema(LIMITS.url),
        // Microsoft may add more kinds. An unknown kind triggers a sync, like a change.
        lifecycleEvent: z
          .enum(['reauthorizationRequired', 'subscriptionRemoved', 'missed'])
          .optional()
          .catch(undefined),
      }),
    )
    .max(1_000),
})

const ADDRESS_INVALID = 'external_calendar.address_invalid'

/** A new connection to a calendar server that supports CalDAV (RFC 4791). */
export const connectCaldavBody = componentSchema('NewCaldavConnection', {
  // Accepts a URL without a scheme, because people also type `dav.example.org`.
  url: singleLineSchema(LIMITS.url)
    .min(1, ADDRESS_INVALID)
    .refine((typed) => {
      const url = typed.replace(/^caldavs?:\/\//i, 'https://')
      return isUrl(url.includes('://') ? url : `https://${url}`, /^https?$/)
    }, ADDRESS_INVALID),
  username: singleLineSchema(LIMITS.url).min(1, 'external_calendar.login_required'),
  password: storableTextSchema().max(LIMITS.url).min(1, 'external_calendar.login_required'),
})
/** A new connection to an iCalendar file at a URL, which is read-only. */
export const connectIcsBody = componentSchema('NewIcsConnection', {
  url: singleLineSchema(LIMITS.url)
    .min(1, ADDRESS_INVALID)
    .refine((typed) => isUrl(typed, /^(https?|webcals?)$/), ADDRESS_INVALID),
})

export const externalCalendarChanges = partialUpdateSchema(externalCalendarSettings.shape).meta({
  id: 'ExternalCalendarChanges',
})

/** The external calendars that a calendar reads, and the one that it writes to. Replaces the previous choice. */
export const externalCalendarChoice = componentSchema('ExternalCalendarChoice', {
  reads: z.array(idSchema).max(50),
  writes: idSchema.nullable(),
})
export type ExternalCalendarChoice = z.input<typeof externalCalendarChoice>

/** The result of a sync. */
export const syncResponse = componentSchema('CalendarSync', {
  /** True when the sync takes longer and continues in the background. */
  is_running: z.boolean(),
  external_calendars: externalCalendarsSchema,
})

export const connectionParams = z.object({
  id: idSchemaWithError('calendar.not_found'),
  connection_id: idSchemaWithError('external_calendar.not_found'),
})
export const disconnectQuery = z.object({
  /** Whether to keep or remove the events that Meridian has written. */
  events: z.enum(['keep', 'remove']).default('keep'),
})

const DATE_NEEDED = 'Please enter an instant like 2026-12-01T09:00:00Z.'
const shownInstant = instantInputSchema({
  unreadable: DATE_NEEDED,
  tooEarly: DATE_NEEDED,
  tooLate: DATE_NEEDED,
})

/** A request for the events of external calendars, for the owner's day and week view. */
export const externalEventsQuery = z.object({ from: shownInstant, until: shownInstant })
export const externalEventsResponse = componentSchema('ExternalEvents', {
  events: z.array(
    z.object({
      external_calendar_id: idSchema,
      calendar_name: z.string(),
      title: z.string().nullable(),
      color: z.string().nullable(),
      starts_at: instantSchema,
      ends_at: instantSchema,
      is_all_day: z.boolean(),
    }),
  ),
})
export type ExternalEvents = z.infer<typeof externalEventsResponse>

/** Changes in external calendars that were not applied automatically and need the owner's decision. Source: rule G13. */
export const externalChangesResponse = componentSchema('ExternalChanges', {
  changes: z.array(
    z.object({
      id: idSchema,
      appointment_id: idSchema,
      kind: z.enum(['deleted', 'moved']),
      reason: z.enum(['many_deletions', 'many_moves', 'calendar_gone', 'reconnected', 'group_session']),
      customer_name: z.string(),
      /** The number of people in the group session whose event changed; null when the event is of one appointment. */
      people: z.number().int().nullable(),
      title: z.string(),
      appointment_starts_at: instantSchema,
      appointment_ends_at: instantSchema,
      /** The new time of a moved event; null for deleted events. */
      starts_at: instantSchema.nullable(),
      ends_at: instantSchema.nullable(),
      noticed_at: instantSchema,
    }),
  ),
})
export type ExternalChanges = z.infer<typeof externalChangesResponse>
export const externalChangeDecisionBody = componentSchema('ExternalChangeDecision', {
  change_ids: z.array(idSchema).min(1).max(100),
  /** `follow`: apply the change to the appointment. `keep`: keep the appointment and write its event again. */
  decision: z.enum(['follow', 'keep']),
})
export const externalChangeDecisionResponse = componentSchema('DecidedChanges', {
  /** The number of changes that were decided. */
  done: z.number().int(),
  /** Changes that could not be applied, each with the reason as a sentence. */
  refused: z.array(z.object({ appointment_id: idSchema, reason: z.string() })),
})
