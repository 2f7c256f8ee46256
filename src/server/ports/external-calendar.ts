import type { Interval } from '#core/shared/interval.ts'

/** Kinds of external calendars that owners can connect. */
export type CalendarProviderName = 'google' | 'microsoft' | 'caldav' | 'ics'

/** Access to one connected account. The credentials are an opaque text for the adapter; they are stored encrypted. */
export type CalendarAccess = {
  readonly credentials: string
  /**
   * Stores renewed credentials. If another process has renewed them meanwhile, stores nothing and returns the newer
   * ones, which the adapter must use.
   */
  readonly saveCredentials: (credentials: string) => Promise<string>
  /**
   * Returns the verified email address of the owner's login. Used when the account has no address. Source: rule G27.
   */
  readonly findOwnerEmail?: () => Promise<string | null>
}

export type ConnectedCalendarAccount = {
  /** The provider's permanent id of the account. */
  readonly accountId: string
  /** Display name of the account: an email address, or a host name. */
  readonly accountName: string
  readonly credentials: string
  /** Scopes that the owner granted; some can be unticked on the consent page. */
  readonly grantedScopes: readonly string[]
}

/** A calendar of an account, as listed by the provider. */
export type ListedCalendar = {
  /** The provider's id of the calendar; for CalDAV its URL. */
  readonly externalId: string
  readonly name: string
  /** `#rrggbb`, or null. */
  readonly color: string | null
  /** IANA name of the time zone for its all-day events; null when the provider names no valid zone. */
  readonly timeZone: string | null
  readonly isPrimary: boolean
  readonly canWrite: boolean
}

/** Distinct IANA time zones, in order of priority. */
export type ReaderZones = readonly [string, ...string[]]

/** An external calendar that is read. */
export type CalendarToRead = Pick<ListedCalendar, 'externalId' | 'timeZone'> & {
  /**
   * Time zones of the Meridian calendars that read it; first that of the calendar that writes to it. If the external
   * calendar has no zone, its all-day events and floating times are interpreted in each of these, and events of
   * appointments in the first. Source: rule G4.
   */
  readonly readerZones: ReaderZones
  /**
   * The verified email address of the owner's login; used when the account does not identify the calendar's owner.
   * Source: rule G3.
   */
  readonly ownerEmail?: string | null
}

/**
 * One time that an event occupies; all-day events last from midnight to midnight in their calendar's zone. Never empty.
 */
export type EventOccurrence = Interval & {
  /** Distinguishes occurrences of one event; '' when there is only one. */
  readonly key: string
  readonly isAllDay: boolean
}

/** A busy time in our stored copy of an external calendar. */
export type StoredBusyTime = Interval & {
  /** Id of the event, or a hash of a long id. */
  readonly eventKey: string
}

/** An external calendar whose busy times are checked before a booking. */
export type CalendarToAsk = CalendarToRead & {
  /** The busy times that a sync has stored for the requested period. */
  readonly copied?: readonly StoredBusyTime[]
}

/**
 * The unreadable part of an event. `date`: the event could be on any day and occupies no time. `times` (an end, a rule
 * or an exception) and `zone`: the event occupies all the time that could be meant. Source: rule G30.
 */
export type UnreadablePart = 'date' | 'times' | 'zone'

/**
 * An event at the provider. Events that occupy no time (cancelled, free, declined, working location, birthday, zero
 * length) have no occurrences, unless they are ours. Source: rules G3 and G5.
 */
export type ExternalEvent = {
  /**
   * The unit that the provider replaces as a whole: an event, an occurrence of a series, or (CalDAV) a whole series.
   */
  readonly eventId: string
  readonly title: string | null
  /** Occurrences within the requested window. */
  readonly occurrences: readonly EventOccurrence[]
  /** The appointment named in the event's id or private property. Anybody can create an event that names one. */
  readonly appointmentId: string | null
  /**
   * The secret in our private property. Null for another organizer's event and for one that occupies no time: neither
   * counts as an appointment's event, whatever it claims. Source: rule G27.
   */
  readonly secret: string | null
  /** True when somebody other than the account organizes the event. */
  readonly isInvitation: boolean
  /** Null when everything that can affect the window is readable. Source: rule G30. */
  readonly unreadable: UnreadablePart | null
  readonly etag: string | null
}

/**
 * Maximum number of busy times per external calendar, in our stored copy and in an answer before a booking.
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
  /** Window of a full sync; an incremental sync keeps the window of its cursor. */
  readonly window: Interval
  /** Aborts the request when nobody waits for it any longer. */
  readonly signal?: AbortSignal
}

/** The desired content of an appointment's event. */
export type WrittenAppointment = {
  readonly appointmentId: string
  /** A random UUID stored only in our database and in the event itself. Source: rule G27. */
  readonly secret: string
  readonly startMs: number
  readonly endMs: number
  /** The calendar's time zone, in which the provider displays the event. */
  readonly timeZone: string
  readonly title: string
  readonly description: string
  readonly location: string | null
  /** URL of the appointment for its owner. */
  readonly url: string
  /** UID (for providers that let us choose it) and SEQUENCE of the calendar files in our emails. */
  readonly icalUid: string
  readonly sequence: number
}

export type WrittenEvent = {
  /** The provider's reference to the event, for later writes. */
  readonly eventRef: string
  readonly etag: string | null
}

/** Reference to an event that we wrote. `etag` is that of our last write; null skips the check. */
export type EventHandle = {
  readonly externalId: string
  readonly eventRef: string
  readonly etag: string | null
}

/** Parameters of the consent page to which the owner is redirected. PKCE: RFC 7636. */
export type AuthorizationRequest = {
  /** Random OAuth state, returned in the callback. */
  readonly state: string
  readonly codeVerifier: string
  readonly redirectUri: string
  /** `read`: busy times only. `write`: also events of appointments. */
  readonly access: 'read' | 'write'
  /** The expected account when reconnecting; otherwise null. */
  readonly accountName: string | null
}

/** What an owner enters to connect an account without a consent page. */
export type TypedAccount =
  | { readonly kind: 'password'; readonly url: string; readonly username: string; readonly password: string }
  | { readonly kind: 'address'; readonly url: string }

/** A push subscription (webhook channel). */
export type CalendarChannel = {
  readonly id: string
  readonly resourceId: string | null
  /** Epoch milliseconds. */
  readonly expiresAtMs: number
}

/**
 * - `expired`: the account refuses its credentials; only its owner can renew them.
 * - `forbidden`: the account does not allow this: a scope was unticked, or the calendar is read-only.
 * - `cursor_lost`: a full sync is required (410 at Google).
 * - `gone`: the calendar or event does not exist (404, 410).
 * - `conflict`: the event already exists, or has changed (409, 412).
 * - `rate_limited`: too many requests; `retryAfterMs` if the provider states it.
 * - `unavailable`: time-out, 5xx, or no connection.
 * - `event_refused`: the provider rejects this event's content; retrying changes nothing.
 * - `refused`: any other refusal, usually one that only the operator or the server's administrator can fix: keys, a
 * proxy.
 * - `address_refused`: the owner's URL points to a place that we do not access (rule G21).
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

/** `message` can be shown to the owner; it never contains a secret. */
export class CalendarProviderError extends Error {
  readonly kind: CalendarErrorKind
  /** Milliseconds until the provider accepts another request; null when it does not say. */
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

/** The answer is too large for a check before a booking; a sync can still read it. Source: rule G7. */
export class AnswerTooLargeError extends CalendarProviderError {}

/**
 * The calendar exceeds a limit, so no sync can read it completely. We notify its owner immediately.
 * Source: rules G17, G25 and G26.
 */
export class CalendarTooLargeError extends CalendarProviderError {}

/**
 * Port for calendar providers. Every call except `buildAuthorizationUrl` can take seconds and rejects with a
 * CalendarProviderError; never call them inside a transaction. `signal` aborts a call.
 */
export type CalendarProvider = {
  /** True for a stand-in in development. */
  readonly isSandbox: boolean
  /** The stand-in's page on which a person can add, move and delete events. */
  readonly sandboxPage?: string
  /** OAuth consent flow; null when the owner enters an address or a password instead. */
  readonly authorization: {
    buildAuthorizationUrl(request: AuthorizationRequest): string
    /** Exchanges the callback's code for an account. */
    completeAuthorization(
      request: Omit<AuthorizationRequest, 'state' | 'accountName'> & { readonly code: string },
    ): Promise<ConnectedCalendarAccount>
    /** True when the granted scopes allow writing events. */
    allowsWriting(grantedScopes: readonly string[]): boolean
  } | null
  /** Validates what the owner entered and connects the account; null when there is a consent page. */
  readonly connect: ((typed: TypedAccount) => Promise<ConnectedCalendarAccount>) | null
  /** Revokes the access at the provider, if possible. An account that is already gone counts as revoked. */
  disconnect(access: CalendarAccess): Promise<void>
  listCalendars(access: CalendarAccess): Promise<ListedCalendar[]>
  /** Yields page after page. The cursor on the last page is valid only when every page was consumed. */
  readChanges(access: CalendarAccess, request: ChangesRequest): AsyncIterable<ChangesPage>
  /**
   * Returns current busy times for a booking that cannot wait for a sync. The answer agrees with what a sync would
   * read. It includes our own events and events that claim to be ours, and can include times outside `during`. Some
   * servers omit events from a time range query; an adapter that relies on such a query must look up each stored event
   * that is missing, and include its stored times when it cannot.
   */
  readBusyTimes(
    access: CalendarAccess,
    request: {
      readonly calendars: readonly CalendarToAsk[]
      readonly during: Interval
      readonly signal: AbortSignal
    },
  ): Promise<readonly BusyTime[]>
  /** Null for providers that cannot be written to (published files). */
  readonly events: {
    /**
     * Creates the event of an appointment. Idempotent: an event created by an earlier attempt is updated instead, and a
     * deleted one is restored, because the appointment may have changed since. Events without our secret, or with
     * another organizer, are never overwritten; the new event then gets a different id.
     */
    create(access: CalendarAccess, externalId: string, appointment: WrittenAppointment): Promise<WrittenEvent>
    /**
     * @throws CalendarProviderError `conflict` when the event changed since our last write, `gone` when it does not
     * exist or another organizer's event now has its id
     */
    update(
      access: CalendarAccess,
      handle: EventHandle,
      appointment: WrittenAppointment,
    ): Promise<WrittenEvent>
    /** Deletes the event. An event that is already gone counts as deleted. @throws CalendarProviderError `conflict` */
    remove(access: CalendarAccess, handle: EventHandle): Promise<void>
    /** Returns the current event, with the times that a sync of its calendar would read; null when it was deleted. */
    find(
      access: CalendarAccess,
      handle: Omit<EventHandle, 'etag'> & CalendarToRead,
    ): Promise<ExternalEvent | null>
  } | null
  /** Null for providers without push notifications. */
  readonly push: {
    subscribe(
      access: CalendarAccess,
      request: {
        readonly externalId: string
        /** Channel id chosen by us, for providers that allow it. */
        readonly channelId: string
        readonly secret: string
        readonly notifyUrl: string
      },
    ): Promise<CalendarChannel>
    /** Ends the subscription. One that is already gone counts as ended. */
    unsubscribe(access: CalendarAccess, channel: Omit<CalendarChannel, 'expiresAtMs'>): Promise<void>
  } | null
}

/** A provider that implements all optional parts: consent page, events and push. */
export type FullCalendarProvider = CalendarProvider & {
  readonly [Part in 'authorization' | 'events' | 'push']: NonNullable<CalendarProvider[Part]>
}

/** The providers configured for this installation, or their stand-ins. CalDAV and `.ics` need no keys. */
export type CalendarProviders = Readonly<Partial<Record<CalendarProviderName, CalendarProvider>>>
