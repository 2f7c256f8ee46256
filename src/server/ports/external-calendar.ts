import type { Interval } from '#core/shared/interval.ts'

/** Where owners keep calendars of their own. */
export type CalendarProviderName = 'google' | 'microsoft' | 'caldav' | 'ics'

/**
 * How an adapter reaches one account. The credentials are a text that only the adapter reads; it is stored encrypted.
 */
export type CalendarAccess = {
  readonly credentials: string
  /**
   * Keeps renewed credentials. When another process renewed them meanwhile, nothing is stored and the newer ones are
   * returned: the adapter goes on with what it gets.
   */
  readonly saveCredentials: (credentials: string) => Promise<string>
  /** The verified address with which the owner logs in. It counts where the account has no address. Source: rule G27. */
  readonly findOwnerEmail?: () => Promise<string | null>
}

export type ConnectedCalendarAccount = {
  /** The provider's own name for the account, which never changes. */
  readonly accountId: string
  /** How people know it: an email address, or the host of an address. */
  readonly accountName: string
  readonly credentials: string
  /** What the account allows. An owner can untick some of it. */
  readonly grantedScopes: readonly string[]
}

/** A calendar of an account, as the provider lists it. */
export type ListedCalendar = {
  /** The provider's name for it; of CalDAV its address. */
  readonly externalId: string
  readonly name: string
  /** `#rrggbb`, or null. */
  readonly color: string | null
  /** IANA name of the zone in which its all-day events lie; null where the provider names none that exists. */
  readonly timeZone: string | null
  readonly isPrimary: boolean
  readonly canWrite: boolean
}

/** Time zones by their IANA names, each once and in the order in which they count. */
export type ReaderZones = readonly [string, ...string[]]

/** A calendar whose events are read. */
export type CalendarToRead = Pick<ListedCalendar, 'externalId' | 'timeZone'> & {
  /**
   * The zones of our calendars that use it, first that of the one that writes to it. Where the calendar names no zone, its all-day events
   * and floating times are in these, and the events of appointments are in the first. Source: rule G4.
   */
  readonly readerZones: ReaderZones
  /**
   * The verified address with which the owner logs in; used when the account does not name the calendar's owner. Source: rule G3.
   */
  readonly ownerEmail?: string | null
}

/** One time that an event takes, all-day events from midnight to midnight in the zone of their calendar. Never empty. */
export type EventOccurrence = Interval & {
  /** Tells the occurrences of one event apart; '' where there is only one. */
  readonly key: string
  readonly isAllDay: boolean
}

/** A time of an event in our copy. */
export type StoredBusyTime = Interval & {
  /** The id of the event, or a hash of it where the id is long. */
  readonly eventKey: string
}

/** A calendar of which a booking needs the busy times. */
export type CalendarToAsk = CalendarToRead & {
  /** What a sync stored of the time that is asked about. */
  readonly copied?: readonly StoredBusyTime[]
}

/**
 * The part of an event that cannot be read: `date`, so it may be on any day and takes no time; `times`, an end, a rule or an exception,
 * so it takes all the time that may be meant; `zone`, likewise. Source: rule G30.
 */
export type UnreadablePart = 'date' | 'times' | 'zone'

/**
 * An event as it stands at the provider. What is no busy time (cancelled, free, declined, working location, birthday, no length)
 * has no occurrences, unless it is ours. Source: rules G3 and G5.
 */
export type ExternalEvent = {
  /** What the provider replaces as one: an event, an occurrence of a series, or (CalDAV) a whole series. */
  readonly eventId: string
  readonly title: string | null
  /** Within the window that was asked for. */
  readonly occurrences: readonly EventOccurrence[]
  /** The appointment that the event names, in its id or in a private property. Anybody can make an event that names one. */
  readonly appointmentId: string | null
  /**
   * The secret in our private property. Null for an event that somebody else organises and for one that takes no time: neither is the
   * event of an appointment, whatever it says. Source: rule G27.
   */
  readonly secret: string | null
  /** True when somebody else than the account organises the event. */
  readonly isInvitation: boolean
  /** Null when all of it can be read that may concern the window. Source: rule G30. */
  readonly unreadable: UnreadablePart | null
  readonly etag: string | null
}

/** The most busy times that one external calendar may have in our copy, and an answer before a booking. Source: rule G25. */
export const MAX_BUSY_TIMES = 100_000

/** What became of an event: its present state, or null when it is gone. */
export type ExternalChange = { readonly eventId: string; readonly event: ExternalEvent | null }

/** A time that an event takes at this moment, with what the event says of itself: who asks decides whether it is ours (rule G5). */
export type BusyTime = Interval &
  Pick<ExternalEvent, 'eventId' | 'appointmentId'> & { readonly externalId: string }

export type ChangesPage = {
  readonly changes: readonly ExternalChange[]
  /** Only on the last page: where the next sync goes on. */
  readonly cursor: string | null
}

export type ChangesRequest = {
  readonly calendar: CalendarToRead
  /** Where the last sync ended; null reads everything within the window. */
  readonly cursor: string | null
  /** Of a full sync; an incremental one keeps the window that its cursor began with. */
  readonly window: Interval
  /** Ends what is still asked when nobody waits for it any more. */
  readonly signal?: AbortSignal
}

/** The event of an appointment as it should stand at the provider. */
export type WrittenAppointment = {
  readonly appointmentId: string
  /** A random UUID that is only in our database and in the event itself. Source: rule G27. */
  readonly secret: string
  readonly startMs: number
  readonly endMs: number
  /** The zone of the calendar: the provider shows the event on these clocks. */
  readonly timeZone: string
  readonly title: string
  readonly description: string
  readonly location: string | null
  /** Where the owner sees the appointment. */
  readonly url: string
  /** The UID, for providers that let us choose it, and the SEQUENCE of the calendar files in our emails. */
  readonly icalUid: string
  readonly sequence: number
}

export type WrittenEvent = {
  /** The provider's handle of the event, for later writes. */
  readonly eventRef: string
  readonly etag: string | null
}

/** An event that was written before. The etag is that of our last write, or null when it does not matter. */
export type EventHandle = {
  readonly externalId: string
  readonly eventRef: string
  readonly etag: string | null
}

/** Where an owner goes to allow the access. PKCE: RFC 7636. */
export type AuthorizationRequest = {
  /** It comes back with the owner; nobody else can know it. */
  readonly state: string
  readonly codeVerifier: string
  readonly redirectUri: string
  /** read: busy times only. write: events of appointments, too. */
  readonly access: 'read' | 'write'
  /** The account that is expected, for a reconnect; else null. */
  readonly accountName: string | null
}

/** What an owner types to connect an account without a consent page. */
export type TypedAccount =
  | { readonly kind: 'password'; readonly url: string; readonly username: string; readonly password: string }
  | { readonly kind: 'address'; readonly url: string }

/** A subscription to notifications. */
export type CalendarChannel = {
  readonly id: string
  readonly resourceId: string | null
  /** Epoch. */
  readonly expiresAtMs: number
}

/**
 * - `expired`: the account refuses its credentials; only its owner can renew them.
 * - `forbidden`: the account does not allow this: a scope was unticked, or the calendar is read-only.
 * - `cursor_lost`: a full sync is necessary (410 at Google).
 * - `gone`: there is no such calendar or event (404, 410).
 * - `conflict`: the event exists already, or it changed since (409, 412).
 * - `rate_limited`: too many requests; `retryAfterMs` where the provider says it.
 * - `unavailable`: time-out, 5xx, or no connection.
 * - `event_refused`: it does not take this event as it is, and another try changes nothing.
 * - `refused`: any other refusal. Most often only the operator or the server's administrator can mend it: keys, a proxy.
 * - `address_refused`: an address that the owner typed leads where this product does not go (rule G21).
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

/** `message` may be shown to the owner; it never contains a secret. */
export class CalendarProviderError extends Error {
  readonly kind: CalendarErrorKind
  /** When the provider wants to be asked again, in milliseconds from now; null where it does not say. */
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

/** What it would answer is too large for a question before a booking; a sync can read it. Source: rule G7. */
export class AnswerTooLargeError extends CalendarProviderError {}

/** A calendar that exceeds a limit, so no sync can read all of it. We tell its owner at once. Source: rules G17, G25 and G26. */
export class CalendarTooLargeError extends CalendarProviderError {}

/**
 * A provider of calendars in our words. Every call but `buildAuthorizationUrl` may take seconds and rejects with a
 * CalendarProviderError; none is made between BEGIN and COMMIT. `signal` ends a call early.
 */
export type CalendarProvider = {
  /** A stand-in on a developer's machine. */
  readonly isSandbox: boolean
  /** Of a stand-in: its page on which a person adds, moves and deletes events. */
  readonly sandboxPage?: string
  /** Through a consent page; null where the owner types an address or a password. */
  readonly authorization: {
    buildAuthorizationUrl(request: AuthorizationRequest): string
    /** Turns the code of the callback into an account. */
    completeAuthorization(
      request: Omit<AuthorizationRequest, 'state' | 'accountName'> & { readonly code: string },
    ): Promise<ConnectedCalendarAccount>
    /** Whether an account that allows this lets us write events. */
    allowsWriting(grantedScopes: readonly string[]): boolean
  } | null
  /** Checks what the owner typed, and finds the account; null where there is a consent page. */
  readonly connect: ((typed: TypedAccount) => Promise<ConnectedCalendarAccount>) | null
  /** Withdraws the access at the provider, where it can. An account that is gone already counts as withdrawn. */
  disconnect(access: CalendarAccess): Promise<void>
  listCalendars(access: CalendarAccess): Promise<ListedCalendar[]>
  /** Page after page. The cursor on the last page counts only when every page was taken. */
  readChanges(access: CalendarAccess, request: ChangesRequest): AsyncIterable<ChangesPage>
  /**
   * The busy times of some calendars at this moment, for a booking that cannot wait for a sync. The answer agrees with what a sync
   * would read. It includes our own events and events that claim to be ours. It may include times outside of `during`. A server that
   * misjudges which events are in a stretch of time leaves some out, so an adapter that relies on it looks at each copied event that is
   * missing, and includes its copied times where it cannot.
   */
  readBusyTimes(
    access: CalendarAccess,
    request: {
      readonly calendars: readonly CalendarToAsk[]
      readonly during: Interval
      readonly signal: AbortSignal
    },
  ): Promise<readonly BusyTime[]>
  /** Null where nothing can be written: an address of a file. */
  readonly events: {
    /**
     * Creates the event of an appointment. The one that an earlier try created is brought up to date instead, whatever it says
     * by now, and one that was removed comes back: a retry writes one event, and the appointment may have changed since. An event
     * without our secret, or that somebody else organises, is never taken for it: then the new one gets another id.
     */
    create(access: CalendarAccess, externalId: string, appointment: WrittenAppointment): Promise<WrittenEvent>
    /**
     * @throws CalendarProviderError `conflict` when it changed since our last write, `gone` when there is none, or when somebody
     * else organises the event that has its id now
     */
    update(
      access: CalendarAccess,
      handle: EventHandle,
      appointment: WrittenAppointment,
    ): Promise<WrittenEvent>
    /** One that is gone already counts as removed. @throws CalendarProviderError `conflict` */
    remove(access: CalendarAccess, handle: EventHandle): Promise<void>
    /** As it stands now, at the times at which a sync of its calendar reads it; null when it is gone. */
    find(
      access: CalendarAccess,
      handle: Omit<EventHandle, 'etag'> & CalendarToRead,
    ): Promise<ExternalEvent | null>
  } | null
  /** Null where the provider cannot tell us about changes. */
  readonly push: {
    subscribe(
      access: CalendarAccess,
      request: {
        readonly externalId: string
        /** Ours, where the provider lets us choose it. */
        readonly channelId: string
        readonly secret: string
        readonly notifyUrl: string
      },
    ): Promise<CalendarChannel>
    /** One that is gone already counts as stopped. */
    unsubscribe(access: CalendarAccess, channel: Omit<CalendarChannel, 'expiresAtMs'>): Promise<void>
  } | null
}

/** A provider that has every part which another one may miss: a page of consent, events and notifications. */
export type FullCalendarProvider = CalendarProvider & {
  readonly [Part in 'authorization' | 'events' | 'push']: NonNullable<CalendarProvider[Part]>
}

/** The providers that this installation has keys for, or stand-ins of them. CalDAV and `.ics` need no keys. */
export type CalendarProviders = Readonly<Partial<Record<CalendarProviderName, CalendarProvider>>>
