import { z } from 'zod'
import { changesOf } from '#contract/shared/changes.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  anyInstant,
  anyText,
  idOf,
  idSchema,
  instantSchema,
  isAddress,
  line,
} from '#contract/shared/primitives.ts'

export const calendarProviderName = z.enum(['google', 'microsoft', 'caldav', 'ics'])
export type CalendarProviderName = z.infer<typeof calendarProviderName>

/** What customers are offered while an external calendar cannot be checked. The first is the default. Source: rule G8. */
export const WHEN_UNCHECKED = ['trust_copy', 'offer_nothing', 'always_offer'] as const

/** How a calendar uses the external calendars of its owner. Source: rules G8, G9 and G12. */
export const externalCalendarSettings = z.object({
  /** The switch 'Auto Sync': appointments are written to the external calendar. */
  auto_sync: z.boolean(),
  /** The switch 'Two-way Sync': changes there are followed here. */
  two_way_sync: z.boolean(),
  /** Events are called 'Booked' and say nothing about the customer. */
  hide_customer: z.boolean(),
  when_unchecked: z.enum(WHEN_UNCHECKED),
})
export type ExternalCalendarSettings = z.infer<typeof externalCalendarSettings>

/**
 * The part of an event that cannot be read. `date`: the event takes no time. `times` or `zone`: it takes all the time that may be meant.
 * Source: rule G30.
 */
export const unreadablePart = z.enum(['date', 'times', 'zone'])
export type UnreadablePart = z.infer<typeof unreadablePart>

/** A calendar of a connected account. */
export const externalCalendarSchema = z.object({
  id: idSchema,
  name: z.string(),
  color: z.string().nullable(),
  is_primary: z.boolean(),
  can_write: z.boolean(),
  /** The provider does not list it any more. */
  is_gone: z.boolean(),
  /** Until when our copy of its busy times is true; null before the first sync. */
  synced_at: instantSchema.nullable(),
  /** Of the calendar that was asked about. */
  reads_busy_times: z.boolean(),
  writes_events: z.boolean(),
  unreadable_events: z.object({
    /** 1,000 when there are more. */
    count: z.number().int(),
    /** Those that take no time first. */
    first: z.array(z.object({ title: z.string().nullable(), part: unreadablePart })),
  }),
  /**
   * Another calendar of the same person that reads it, so that it counts as busy for this one as well; null when none does. Source:
   * rule G31.
   */
  read_by_other: z.object({ id: idSchema, name: z.string() }).nullable(),
})
export type ExternalCalendar = z.infer<typeof externalCalendarSchema>

export const calendarConnectionSchema = z.object({
  id: idSchema,
  provider: calendarProviderName,
  account_name: z.string(),
  state: z.enum(['active', 'expired', 'revoked']),
  /** What went wrong in the last attempt, in a sentence; null when it went well. */
  problem: z.string().nullable(),
  /** Since when it cannot be read, once its owner was told of it; null while all is well. */
  troubled_since: instantSchema.nullable(),
  last_success_at: instantSchema.nullable(),
  next_sync_at: instantSchema,
  /** The account allows us to write events. */
  can_write: z.boolean(),
  calendars: z.array(externalCalendarSchema),
})
export type CalendarConnection = z.infer<typeof calendarConnectionSchema>

/** What is known of the external calendars of a calendar, for the Integrations tab. */
export const externalCalendarsSchema = z.object({
  /** The providers that this installation has, the ones named by the plan gate included. */
  offered: z.array(calendarProviderName),
  /** Stand-ins, each with its page on which a person adds events. */
  sandbox: z.array(z.object({ provider: calendarProviderName, page: z.string() })),
  connections: z.array(calendarConnectionSchema),
  settings: externalCalendarSettings,
  /** Appointments whose event does not match them yet. */
  waiting_events: z.number().int(),
  /** Customers are offered nothing at present, because a calendar cannot be checked and the owner wants it so. */
  offers_nothing: z.boolean(),
})
export type ExternalCalendars = z.infer<typeof externalCalendarsSchema>

/** It carries the calendar, whose settings tab the owner comes from. */
export const authorizeParams = z.object({
  id: idOf('calendar.not_found'),
  provider: z.enum(['google', 'microsoft']),
})
export const authorizeBody = z.object({
  /** read: busy times only. write: events of appointments, too. */
  access: z.enum(['read', 'write']).default('read'),
  /** The connection that is renewed. */
  connection_id: idSchema.optional(),
})
export type AuthorizeBody = z.input<typeof authorizeBody>
export const authorizeResponse = z.object({ authorization_url: z.string() })

export const callbackParams = z.object({ provider: z.enum(['google', 'microsoft']) })
/** What a provider adds to the address when it sends an owner back: a code, or why there is none (RFC 6749 §4.1.2). */
export const callbackQuery = z.object({
  state: line(LIMITS.oauthCode).default(''),
  code: line(LIMITS.oauthCode).default(''),
  error: line(LIMITS.oauthCode).default(''),
})

/** Microsoft asks whether an address is ours before it sends anything there; the token is to be sent back. */
export const microsoftNotificationQuery = z.object({ validationToken: line(LIMITS.oauthCode).optional() })
/** What Microsoft tells. Source: learn.microsoft.com, "changeNotificationCollection resource type". */
export const microsoftNotifications = z.object({
  value: z
    .array(
      z.object({
        subscriptionId: line(LIMITS.url),
        clientState: line(LIMITS.url),
        // Microsoft may tell of more kinds one day; what is not known asks for a sync, like a change.
        lifecycleEvent: z
          .enum(['reauthorizationRequired', 'subscriptionRemoved', 'missed'])
          .optional()
          .catch(undefined),
      }),
    )
    .max(1_000),
})

const ADDRESS_INVALID = 'external_calendar.address_invalid'

/** A calendar server that speaks CalDAV (RFC 4791). */
export const connectCaldavBody = z.object({
  // People type `dav.example.org`, too.
  url: line(LIMITS.url)
    .min(1, ADDRESS_INVALID)
    .refine((typed) => {
      const url = typed.replace(/^caldavs?:\/\//i, 'https://')
      return isAddress(url.includes('://') ? url : `https://${url}`, /^https?$/)
    }, ADDRESS_INVALID),
  username: line(LIMITS.url).min(1, 'external_calendar.login_required'),
  password: anyText().max(LIMITS.url).min(1, 'external_calendar.login_required'),
})
/** The address of a calendar file, which is only read. */
export const connectIcsBody = z.object({
  url: line(LIMITS.url)
    .min(1, ADDRESS_INVALID)
    .refine((typed) => isAddress(typed, /^(https?|webcals?)$/), ADDRESS_INVALID),
})

export const externalCalendarChanges = changesOf(externalCalendarSettings.shape)

/** Which external calendars a calendar reads, and the one that it writes to: all of them at once. */
export const externalCalendarChoice = z.object({
  reads: z.array(idSchema).max(50),
  writes: idSchema.nullable(),
})
export type ExternalCalendarChoice = z.input<typeof externalCalendarChoice>

/** What came of a sync. */
export const syncResponse = z.object({
  /** It takes longer, and goes on by itself. */
  is_running: z.boolean(),
  external_calendars: externalCalendarsSchema,
})

export const connectionParams = z.object({
  id: idOf('calendar.not_found'),
  connection_id: idOf('external_calendar.not_found'),
})
export const disconnectQuery = z.object({
  /** What becomes of the events that we wrote there. */
  events: z.enum(['keep', 'remove']).default('keep'),
})

const DATE_NEEDED = 'Please give an instant like 2026-12-01T09:00:00Z.'
const shownInstant = anyInstant({ unreadable: DATE_NEEDED, tooEarly: DATE_NEEDED, tooLate: DATE_NEEDED })

/** The events of the external calendars in the owner's day and week view. */
export const externalEventsQuery = z.object({ from: shownInstant, until: shownInstant })
export const externalEventsResponse = z.object({
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

/** Changes there that were not followed by themselves: the owner decides. Source: rule G13. */
export const externalChangesResponse = z.object({
  changes: z.array(
    z.object({
      id: idSchema,
      appointment_id: idSchema,
      kind: z.enum(['deleted', 'moved']),
      reason: z.enum(['many_deletions', 'many_moves', 'calendar_gone', 'reconnected']),
      customer_name: z.string(),
      title: z.string(),
      appointment_starts_at: instantSchema,
      appointment_ends_at: instantSchema,
      /** Of a move: the time there. */
      starts_at: instantSchema.nullable(),
      ends_at: instantSchema.nullable(),
      noticed_at: instantSchema,
    }),
  ),
})
export type ExternalChanges = z.infer<typeof externalChangesResponse>
export const decideChangesBody = z.object({
  change_ids: z.array(idSchema).min(1).max(100),
  /** follow: do here what was done there. keep: the appointment stays, and its event is written again. */
  decision: z.enum(['follow', 'keep']),
})
export const decideChangesResponse = z.object({
  /** Those that were still listed and were carried out. */
  done: z.number().int(),
  /** Those that could not be followed, each with the sentence that says why. */
  refused: z.array(z.object({ appointment_id: idSchema, reason: z.string() })),
})

const newStart = anyInstant({
  unreadable: 'booking.time_required',
  tooEarly: 'booking.too_long_ago',
  tooLate: 'booking.too_far_ahead',
})

/** Moving an appointment to another time, by its owner. Source: rule A16. */
export const moveAppointmentBody = z.object({
  starts_at: newStart,
  /** Minutes; absent: as long as before. */
  duration: z.number().int().min(LIMITS.typeDurationMin).max(LIMITS.typeDurationMax).optional(),
  /** Of the appointment that the form showed, so that nobody moves what was moved meanwhile. */
  expected_starts_at: newStart,
  /** The owner has read that customers are not offered this time. */
  outside_hours: z.boolean().default(false),
  notify_customer: z.boolean().default(true),
})

export const moveAppointmentResponse = z.object({
  id: idSchema,
  starts_at: instantSchema,
  ends_at: instantSchema,
  /** The message to the customer: `none` without an address, when it is not wanted, or when it was moved there before. */
  email: z.enum(['queued', 'failed', 'none']),
})
export type MoveAppointmentResponse = z.infer<typeof moveAppointmentResponse>

export const moveOwnAppointmentResponse = moveAppointmentResponse.extend({
  /** A sentence about something that the owner has to check by hand. */
  warning: z.string().nullable(),
})
export type MoveOwnAppointmentResponse = z.infer<typeof moveOwnAppointmentResponse>

/** What became of an appointment, newest first. */
export const appointmentHistoryResponse = z.object({
  entries: z.array(
    z.object({
      id: idSchema,
      at: instantSchema,
      kind: z.string(),
      caused_by: z.enum(['owner', 'customer', 'external_calendar', 'product']),
      /** A sentence that says what happened. */
      text: z.string(),
    }),
  ),
})

/** The secret address at which a calendar program reads the appointments of a calendar; null when there is none. */
export const calendarFeedResponse = z.object({ url: z.string().nullable() })
export type CalendarFeed = z.infer<typeof calendarFeedResponse>
export const feedParams = z.object({ token: line(100) })
