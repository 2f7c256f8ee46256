import type { Interval } from '#core/shared/interval.ts'

/** Kinds of external calendars that owners can connect. */
export type CalendarProviderName = 'google' | 'microsoft' | 'caldav' | 'ics'

/** Access to one connected account. The credentials are an opaque text for the adapter; they are stored encrypted. */
export type CalendarAccess = {
  readonly credentials: string
  /**
   * Stores renewed credentials and returns them. If another process has renewed them meanwhile, stores nothing and
   * returns the newer credentials, which the adapter must use.
   */
  readonly saveCredentials: (credentials: string) => Promise<string>
  /**
   * Returns the verified email address of the owner's login. Used when the account has no email address. Source: rule
   * G27.
   */
  readonly findOwnerEmail?: () => Promise<string | null>
}

export type ConnectedCalendarAccount = {
  /** The provider's permanent id of the account. */
  readonly accountId: string
  /** Display name of the account: an email address, or a host name. */
  readonly accountName: string
  readonly credentials: string
  /** The scopes that the owner granted; the owner can untick some on the consent page. */
  readonly grantedScopes: readonly string[]
}

/** A calendar of an account, as listed by the provider. */
export type ListedCalendar = {
  /** The provider's id of the calendar; for CalDAV its URL. */
  readonly externalId: string
  readonly name: string
  /** The calendar's colour as `#rrggbb`, or null. */
  readonly color: string | null
  /** The IANA name of the time zone for the calendar's all-day events; null when the provider names no valid zone. */
  readonly timeZone: string | null
  readonly isPrimary: boolean
  readonly canWrite: boolean
}

/**
 * The time zones of the Meridian calendars that read an external calendar: distinct IANA names, in order of priority.
 */
export type ReaderZones = readonly [string, ...string[]]

/** An external calendar to read. */
export type CalendarToRead = Pick<ListedCalendar, 'externalId' | 'timeZone'> & {
  /**
   * The time zones of the Meridian calendars that read this calendar; the first is that of the calendar that writes to
   * it. If the external calendar has no zone, its all-day events and floating times are interpreted in each of these
   * zones, and events of appointments in the first. Source: rule G4.
   */
  readonly readerZones: ReaderZones
  /**
   * The verified email address of the owner's login; used when the account does not identify the calendar's owner.
   * Source: rule G3.
   */
  readonly ownerEmail?: string | null
}

/**
 * One time that an event occupies; it is never empty. All-day events last from midnight to midnight in their calendar's
 * zone.
 */
export type EventOccurrence = Interval & {
  /** Distinguishes the occurrences of one event; '' when there is only one. */
  readonly key: string
  readonly isAllDay: boolean
}

/** A busy time in our stored copy of an external calendar. */
export type StoredBusyTime = Interval & {
  /** The id of the event, or a hash of an id that is too long. */
  readonly eventKey: string
}

/** An external calendar whose busy times are checked before a booking. */
export type CalendarToQuery = CalendarToRead & {
  /** The busy times that a sync has stored for the requested period. */
  readonly copied?: readonly StoredBusyTime[]
}

/**
 * The unreadable part of an event. `date`: the event could be on any day, so it occupies no time. `times` (an end, a
 * rule or an exception) and `zone`: the event occupies all the time that could be meant. Source: rule G30.
 */
export type UnreadablePart = 'date' | 'times' | 'zone'

/**
 * An event at the provider. Events that occupy no time (cancelled, free, declined, working location, birthday, zero
 * length) have no occurrences, unless they are ours. Source: rules G3 and G5.
 */
export type ExternalEvent = {
  /**
   * The id of the unit that the provider replaces as a whole: an event, an occurrence of a series, or (CalDAV) a whole
   * series.
   */
  readonly eventId: string
  readonly title: string | null
  /** The occurrences within the requested window. */
  readonly occurrences: readonly EventOccurrence[]
  /**
   * The appointment named in the event's id or private property. Anybody can create an event that names an appointment.
   */
  readonly appointmentId: string | null
  /**
   * The secret in our private property. Null for an event of another organizer and for an event that occupies no time:
   * neither counts as an appointment's event, whatever it contains. Source: rule G27.
   */
  readonly secret: string | null
  /** True when somebody other than the account organizes the event. */
  readonly isInvitation: boolean
  /** The unreadable part; null when everything that can affect the window is readable. Source: rule G30. */
  readonly unreadable: UnreadablePart | null
  readonly etag: string | null
}

/**
 * Maximum number of busy times per external calendar, in our stored copy and in a response to a check before a booking.
 * Source: rule G25.
 */
export const MAX_BUSY_TIMES = 100_000

/** The current state of a changed event, or null when it was deleted. */
export type ExternalChange = { readonly eventId: string; readonly event: ExternalEvent | null }

/**
 * A time that an event occupies now, with the appointment that the event names: the caller decides whether the event is
 * ours (rule G5).
 */
export type BusyTime = Interval &
  Pick<ExternalEvent, 'eventId' | 'appointmentId'> & { readonly externalId: string }

export type ChangesPage = {
  readonly changes: readonly ExternalChange[]
  /** On the last page only: the cursor for the next sync. */
  readonly cursor: string | null
}

export type ChangesRequest = {
  readonly calendar: CalendarToRead
  /** The cursor of the last sync; null reads everything within the window. */
  readonly cursor: string | null
  /** The window of a full sync. An incremental sync keeps the window of its cursor. */
  readonly window: Interval
  /** Aborts the request when nobody is waiting for it any longer. */
  readonly signal?: AbortSignal
}

/** The desired content of an appointment's event. */
export type AppointmentEventContent = {
  readonly appointmentId: string
  /** The event's secret: a random UUID stored only in our database and in the event itself. Source: rule G27. */
  readonly secret: string
  readonly startMs: number
  readonly endMs: number
  /** The calendar's time zone, in which the provider displays the event. */
  readonly timeZone: string
  readonly title: string
  readonly description: string
  readonly location: string | null
  /** URL of the owner's page about the appointment. */
  readonly url: string
  /** The UID and SEQUENCE of the calendar files in our emails. The UID is used for providers that let us choose it. */
  readonly icalUid: string
  readonly sequence: number
}

export type WrittenEvent = {
  /** The provider's reference to the event, for later writes. */
  readonly eventRef: string
  readonly etag: string | null
}

/**
 * Reference to an event that we wrote. `etag` is the version of our last write; null skips the check for other changes.
 */
export type EventHandle = {
  readonly externalId: string
  readonly eventRef: string
  readonly etag: string | null
}

/** Parameters of the consent page to which the owner is redirected. They include a PKCE challenge (RFC 7636). */
export type AuthorizationRequest = {
  /** Random OAuth state, returned in the callback. */
  readonly state: string
  readonly codeVerifier: string
  readonly redirectUri: string
  /** `read` allows reading busy times only; `write` also allows writing events of appointments. */
  readonly access: 'read' | 'write'
  /** The account that the owner should reconnect; null for a new connection. */
  readonly accountName: string | null
}

/** What an owner enters to connect an account without a consent page. */
export type EnteredAccount =
  | { readonly kind: 'password'; readonly url: string; readonly username: string; readonly password: string }
  | { readonly kind: 'address'; readonly url: string }

/** A push subscription (webhook channel). */
export type CalendarChannel = {
  readonly id: string
  readonly resourceId: string | null
  /** When the subscription ends, in epoch milliseconds. */
  readonly expiresAtMs: number
}

/**
 * - `expired`: the account refuses its credentials; only the account's owner can renew them.
 * - `forbidden`: the account does not allow this call, because a scope was unticked or the calendar is read-only.
 * - `cursor_lost`: a full sync is required (410 at Google).
 * - `gone`: the calendar or event does not exist (404, 410).
 * - `conflict`: the event already exists, or has changed (409, 412).
 * - `rate_limited`: too many requests; `retryAfterMs` if the provider states it.
 * - `unavailable`: time-out, 5xx, or no connection.
 * - `event_refused`: the provider rejects this event's content; retrying changes nothing.
 * - `refused`: any other refusal, usually one that only the operator or the server's administrator can fix, such as
 *   wrong keys or a proxy in the way.
 * - `address_refused`: the owner's URL points to a host that we do not access (rule G21).
 */
export type CalendarErrorKind =
  | 'expired'
  | 'forbidden'
  | 'cursor_lost'
  | 'gone'
  | 'conflict'
  | 'rate_limited'
  | 'unavailable'
  | 'refused'
  | 'event_refused'
  | 'address_refused'

/** An error of a calendar provider. `message` can be shown to the owner; it never contains a secret. */
export class CalendarProviderError extends Error {
  readonly kind: CalendarErrorKind
  /** Milliseconds until the provider accepts another request; null when the provider does not say. */
  readonly retryAfterMs: number | null
  constructor(
    kind: CalendarErrorKind,
    message: string,
    { retryAfterMs = null, ...options }: ErrorOptions & { readonly retryAfterMs?: number | null } = {},
  ) {
    super(message, options)
    this.name = 'CalendarProviderError'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
  }
}

/** The response is too large for a check before a booking; a sync can still read it. Source: rule G7. */
export class ResponseTooLargeError extends CalendarProviderError {}

/**
 * The calendar exceeds a limit, so no sync can read it completely. The product notifies the calendar's owner
 * immediately. Source: rules G17, G25 and G26.
 */
export class CalendarTooLargeError extends CalendarProviderError {}

/**
 * Port for calendar providers. Every call except `buildAuthorizationUrl` can take seconds and rejects with a
 * CalendarProviderError; never call them inside a transaction. `signal` aborts a call.
 */
export type CalendarProvider = {
  /** True when this is a stand-in for development. */
  readonly isSandbox: boolean
  /** URL of the stand-in's page on which a person can add, move and delete events. */
  readonly sandboxPage?: string
  /** The OAuth consent flow; null when the owner enters a URL or a password instead. */
  readonly authorization: {
    buildAuthorizationUrl(request: AuthorizationRequest): string
    /** Exchanges the callback's code for an account. */
    completeAuthorization(
      request: Omit<AuthorizationRequest, 'state' | 'accountName'> & { readonly code: string },
    ): Promise<ConnectedCalendarAccount>
    /** True when the granted scopes allow writing events. */
    allowsWriting(grantedScopes: readonly string[]): boolean
  } | null
  /** Validates the owner's input and connects the account; null when the provider has a consent page. */
  readonly connect: ((typed: EnteredAccount) => Promise<ConnectedCalendarAccount>) | null
  /** Revokes the access at the provider, if possible. An account that no longer exists counts as revoked. */
  disconnect(access: CalendarAccess): Promise<void>
  listCalendars(access: CalendarAccess): Promise<ListedCalendar[]>
  /** Yields the changes page by page. The cursor on the last page is valid only if every page was consumed. */
  readChanges(access: CalendarAccess, request: ChangesRequest): AsyncIterable<ChangesPage>
  /**
   * Returns current busy times for a booking that cannot wait for a sync. The result agrees with the result of a sync.
   * It includes our own events and events that claim to be ours, and can include times outside `during`. Some servers
   * omit events from a time range query; an adapter that relies on such a query must look up each stored event that is
   * missing, and include its stored times when it cannot.
   */
  readBusyTimes(
    access: CalendarAccess,
    request: {
      readonly calendars: readonly CalendarToQuery[]
      readonly during: Interval
      readonly signal: AbortSignal
    },
  ): Promise<readonly BusyTime[]>
  /** Reads and writes events; null for providers without write access (published files). */
  readonly events: {
    /**
     * Creates the event of an appointment. Idempotent: an event created by an earlier attempt is updated instead, and a
     * deleted one is restored, because the appointment may have changed since. Events without our secret, or with
     * another organizer, are never overwritten; the new event then gets a different id.
     */
    create(
      access: CalendarAccess,
      externalId: string,
      appointment: AppointmentEventContent,
    ): Promise<WrittenEvent>
    /**
     * @throws CalendarProviderError `conflict` when the event changed since our last write, `gone` when it does not
     * exist or another organizer's event now has its id
     */
    update(
      access: CalendarAccess,
      handle: EventHandle,
      appointment: AppointmentEventContent,
    ): Promise<WrittenEvent>
    /** Deletes the event. An event that is already gone counts as deleted. @throws CalendarProviderError `conflict` */
    remove(access: CalendarAccess, handle: EventHandle): Promise<void>
    /** Returns the current event, with the times that a sync of its calendar would read; null when it was deleted. */
    find(
      access: CalendarAccess,
      handle: Omit<EventHandle, 'etag'> & CalendarToRead,
    ): Promise<ExternalEvent | null>
  } | null
  /** Push notifications; null for providers without them. */
  readonly push: {
    subscribe(
      access: CalendarAccess,
      request: {
        readonly externalId: string
        /** The channel id that we chose, for providers that let us choose it. */
        readonly channelId: string
        readonly secret: string
        readonly notifyUrl: string
      },
    ): Promise<CalendarChannel>
    /** Ends the subscription. A subscription that no longer exists counts as ended. */
    unsubscribe(access: CalendarAccess, channel: Omit<CalendarChannel, 'expiresAtMs'>): Promise<void>
  } | null
}

/** A provider that implements all optional parts: consent page, events and push. */
export type WritableCalendarProvider = CalendarProvider & {
  readonly [Part in 'authorization' | 'events' | 'push']: NonNullable<CalendarProvider[Part]>
}

/** The providers configured for this installation, or their stand-ins. CalDAV and `.ics` need no keys. */
export type CalendarProviders = Readonly<Partial<Record<CalendarProviderName, CalendarProvider>>>
