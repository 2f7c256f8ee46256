import { randomUUID } from 'node:crypto'
import type { Interval } from '#core/shared/interval.ts'
import { overlaps } from '#core/shared/interval.ts'
import {
  type CalendarAccess,
  type CalendarProvider,
  CalendarProviderError,
  type ConnectedCalendarAccount,
  type ExternalEvent,
  type ListedCalendar,
} from '#server/ports/external-calendar.ts'

type Call =
  | 'completeAuthorization'
  | 'connect'
  | 'disconnect'
  | 'listCalendars'
  | 'readChanges'
  | 'readBusyTimes'
  | 'create'
  | 'update'
  | 'remove'
  | 'find'
  | 'subscribe'
  | 'unsubscribe'

type StoredEvent = { event: ExternalEvent; isGone: boolean; version: number }

/** An event that a person adds to their own calendar. Instants are RFC 3339. */
export type FakeEvent = {
  /** If an event with this id exists, it is replaced. */
  readonly id?: string
  readonly title?: string | null
  readonly startsAt: string
  readonly endsAt: string
  readonly isAllDay?: boolean
  readonly appointmentId?: string
  readonly secret?: string | null
  readonly isInvitation?: boolean
  readonly unreadable?: ExternalEvent['unreadable']
  /** The occurrences of a series, in place of the single time above. */
  readonly occurrences?: ExternalEvent['occurrences']
}

export type FakeCalendarProvider = CalendarProvider & {
  /** The calls received so far, oldest first. */
  readonly calls: Call[]
  /** Adds an account; its only calendar has the account's id unless `calendars` says otherwise. */
  readonly addAccount: (accountId: string, calendars?: readonly ListedCalendar[]) => void
  /** Adds a calendar to an existing account, or changes it. */
  readonly addCalendar: (
    accountId: string,
    calendar: Partial<ListedCalendar> & { externalId: string },
  ) => void
  /** Leaves a calendar out of the list, although it still exists. */
  readonly unlistCalendar: (accountId: string, externalId: string) => void
  readonly removeCalendar: (accountId: string, externalId: string) => void
  /** Adds or replaces an event; returns its id. */
  readonly put: (externalId: string, event: FakeEvent) => string
  /** Moves an existing event, including one that we wrote. */
  readonly move: (externalId: string, eventId: string, startsAt: string, endsAt: string) => void
  readonly drop: (externalId: string, eventId: string) => void
  /** Lists the events in a calendar. */
  readonly list: (externalId: string) => readonly ExternalEvent[]
  /** Invalidates all cursors given out so far. */
  readonly loseCursors: () => void
  /** The owner revokes our access, or grants it again. */
  readonly revoke: (accountId: string) => void
  readonly allow: (accountId: string) => void
  /**
   * `failNext` makes the next call of this kind fail; `delayNext` makes it wait for `until` first. Each page counts as one call.
   */
  readonly failNext: (call: Call, error: CalendarProviderError) => void
  readonly delayNext: (call: Call, until: Promise<unknown>) => void
  /** Every call fails as unavailable until `answer` is called. */
  readonly fallSilent: () => void
  readonly answer: () => void
  /** Renews the credentials during the next call. */
  readonly renewNext: () => void
  /** From now on, every page of changes is followed by another. */
  readonly sendPagesForEver: () => void
  /** The open push subscriptions, each with its secret. */
  readonly channels: Map<
    string,
    { readonly externalId: string; readonly secret: string; readonly resourceId: string }
  >
  /** The accounts that we have disconnected. */
  readonly disconnected: string[]
}

export const PROVIDER_UNAVAILABLE = new CalendarProviderError('unavailable', 'The provider did not answer.')
export const ACCESS_EXPIRED = new CalendarProviderError('expired', 'The provider refuses the access.')

type Options = {
  /** `consent`: through a consent page, as Google. `password` and `address`: through the owner's input, as CalDAV and .ics. */
  readonly connectsBy?: 'consent' | 'password' | 'address'
  readonly pageSize?: number
  readonly hasPush?: boolean
  /** Lifetime of a push channel, in milliseconds. */
  readonly channelMs?: number
  readonly now?: () => number
}

/**
 * A fake calendar provider in memory that fulfils the port's contract. The consent code or the user name is the account's id. An
 * unknown account is created with one calendar of the same id.
 */
export function makeFakeCalendarProvider({
  connectsBy = 'consent',
  pageSize = 100,
  hasPush = connectsBy === 'consent',
  channelMs = 7 * 24 * 3_600_000,
  now = Date.now,
}: Options = {}): FakeCalendarProvider {
  const accounts = new Map<string, Map<string, ListedCalendar>>()
  const calendars = new Map<string, Map<string, StoredEvent>>()
  const channels: FakeCalendarProvider['channels'] = new Map()
  const disconnected: string[] = []
  const revoked = new Set<string>()
  const calls: Call[] = []
  const failures = new Map<Call, CalendarProviderError>()
  const delays = new Map<Call, Promise<unknown>>()
  let version = 1
  let oldestCursor = 0
  let isSilent = false
  let isEndless = false
  let renews = false

  const called = async (call: Call, access: CalendarAccess | null = null) => {
    calls.push(call)
    const [delay, failure] = [delays.get(call), failures.get(call)]
    delays.delete(call)
    failures.delete(call)
    await delay
    if (failure !== undefined) throw failure
    if (isSilent) throw PROVIDER_UNAVAILABLE
    if (access === null) return
    if (renews) {
      renews = false
      await access.saveCredentials(`${accountOf(access)} renewed`)
    }
    if (revoked.has(accountOf(access))) throw ACCESS_EXPIRED
  }
  const accountOf = ({ credentials }: CalendarAccess) => credentials.split(' ')[0] ?? ''
  const eventsOf = (externalId: string) => {
    const events = calendars.get(externalId)
    if (events === undefined) throw new CalendarProviderError('gone', 'There is no such calendar.')
    return events
  }
  const addCalendar: FakeCalendarProvider['addCalendar'] = (accountId, calendar) => {
    const listed: ListedCalendar = {
      name: calendar.externalId,
      color: '#336699',
      timeZone: 'Europe/London',
      isPrimary: false,
      canWrite: connectsBy !== 'address',
      ...calendar,
    }
    accounts.get(accountId)?.set(calendar.externalId, listed)
    if (!calendars.has(calendar.externalId)) calendars.set(calendar.externalId, new Map())
  }
  const addAccount: FakeCalendarProvider['addAccount'] = (accountId, listed) => {
    accounts.set(accountId, new Map())
    if (listed === undefined) addCalendar(accountId, { externalId: accountId, isPrimary: true })
    else for (const calendar of listed) addCalendar(accountId, calendar)
  }
  const store = (externalId: string, event: ExternalEvent, isGone = false) => {
    version += 1
    const stored = { ...event, etag: `"${version}"` }
    eventsOf(externalId).set(event.eventId, { event: stored, isGone, version })
    return stored
  }
  const findStored = (externalId: string, eventId: string) => {
    const stored = eventsOf(externalId).get(eventId)
    return stored === undefined || stored.isGone ? null : stored.event
  }
  const getStored = (externalId: string, eventId: string) => {
    const event = findStored(externalId, eventId)
    if (event === null) throw new CalendarProviderError('gone', 'There is no such event.')
    return event
  }
  const drop: FakeCalendarProvider['drop'] = (externalId, eventId) => {
    store(externalId, getStored(externalId, eventId), true)
  }
  const connectTo = (accountId: string, credentials: string): ConnectedCalendarAccount => {
    if (!accounts.has(accountId)) addAccount(accountId)
    revoked.delete(accountId)
    return { accountId, accountName: `${accountId}@example.com`, credentials, grantedScopes: [] }
  }
  const within = (event: ExternalEvent, window: Interval): ExternalEvent => ({
    ...event,
    occurrences: event.occurrences.filter((occurrence) => overlaps(occurrence, window)),
  })

  return {
    calls,
    channels,
    disconnected,
    addAccount,
    addCalendar,
    drop,
    unlistCalendar: (accountId, externalId) => {
      accounts.get(accountId)?.delete(externalId)
    },
    removeCalendar: (accountId, externalId) => {
      accounts.get(accountId)?.delete(externalId)
      calendars.delete(externalId)
    },
    put: (externalId, { id, startsAt, endsAt, ...event }) => {
      const eventId = id ?? `event-${version}`
      const only = {
        key: '',
        startMs: Date.parse(startsAt),
        endMs: Date.parse(endsAt),
        isAllDay: event.isAllDay ?? false,
      }
      store(externalId, {
        eventId,
        title: event.title ?? null,
        occurrences: event.occurrences ?? [only],
        appointmentId: event.appointmentId ?? null,
        secret: event.secret ?? null,
        isInvitation: event.isInvitation ?? false,
        unreadable: event.unreadable ?? null,
        etag: null,
      })
      return eventId
    },
    move: (externalId, eventId, startsAt, endsAt) => {
      const event = getStored(externalId, eventId)
      const time = { startMs: Date.parse(startsAt), endMs: Date.parse(endsAt) }
      store(externalId, { ...event, occurrences: [{ key: '', isAllDay: false, ...time }] })
    },
    list: (externalId) =>
      [...eventsOf(externalId).values()].filter(({ isGone }) => !isGone).map(({ event }) => event),
    loseCursors: () => {
      version += 1
      oldestCursor = version
    },
    revoke: (accountId) => revoked.add(accountId),
    allow: (accountId) => revoked.delete(accountId),
    failNext: (call, error) => failures.set(call, error),
    delayNext: (call, until) => delays.set(call, until),
    fallSilent: () => {
      isSilent = true
    },
    answer: () => {
      isSilent = false
    },
    renewNext: () => {
      renews = true
    },
    sendPagesForEver: () => {
      isEndless = true
    },
    // A sandbox, so that notifications may be sent to an unencrypted URL.
    isSandbox: true,
    authorization:
      connectsBy === 'consent'
        ? {
            buildAuthorizationUrl: ({ state, redirectUri, access, accountName }) =>
              `https://calendars.example/consent?${new URLSearchParams({
                state,
                redirect_uri: redirectUri,
                access,
                login_hint: accountName ?? '',
              })}`,
            // The code is the account's id. A final `-read` stands for an owner who unticked write access.
            async completeAuthorization({ code, access }) {
              await called('completeAuthorization')
              const accountId = code.replace(/-read$/, '')
              const grantedScopes = access === 'write' && accountId === code ? ['read', 'write'] : ['read']
              return { ...connectTo(accountId, accountId), grantedScopes }
            },
            allowsWriting: (grantedScopes) => grantedScopes.includes('write'),
          }
        : null,
    connect:
      connectsBy === 'consent'
        ? null
        : async (typed) => {
            await called('connect')
            if (typed.kind === 'address') return connectTo(typed.url, typed.url)
            if (typed.password === 'wrong') throw ACCESS_EXPIRED
            return connectTo(typed.username, `${typed.username} ${typed.password}`)
          },
    async disconnect(access) {
      await called('disconnect', access)
      disconnected.push(accountOf(access))
    },
    async listCalendars(access) {
      await called('listCalendars', access)
      return [...(accounts.get(accountOf(access))?.values() ?? [])]
    },
    async *readChanges(access, { calendar, cursor, window }) {
      await called('readChanges', access)
      const since = cursor === null ? null : Number(cursor)
      if (since !== null && since < oldestCursor) {
        throw new CalendarProviderError('cursor_lost', 'The sync token is no longer valid.')
      }
      const readAt = version
      const found = [...eventsOf(calendar.externalId).entries()]
        .filter(([, stored]) => (since === null ? !stored.isGone : stored.version > since))
        .map(([eventId, { event, isGone }]) => ({ eventId, event: isGone ? null : within(event, window) }))
        .filter(({ event }) => since !== null || (event !== null && event.occurrences.length > 0))
      while (isEndless) yield { changes: found, cursor: null }
      for (let from = 0; ; from += pageSize) {
        const isLast = from + pageSize >= found.length
        yield { changes: found.slice(from, from + pageSize), cursor: isLast ? String(readAt) : null }
        if (isLast) return
        await called('readChanges', access)
      }
    },
    async readBusyTimes(access, { calendars: asked, during, signal }) {
      await called('readBusyTimes', access)
      signal.throwIfAborted()
      return asked.flatMap(({ externalId }) =>
        [...eventsOf(externalId).values()]
          .filter(({ isGone }) => !isGone)
          .flatMap(({ event }) =>
            event.occurrences
              .filter((occurrence) => overlaps(occurrence, during))
              .map(({ startMs, endMs }) => ({
                ...{ startMs, endMs, externalId },
                ...{ eventId: event.eventId, appointmentId: event.appointmentId },
              })),
          ),
      )
    },
    events:
      connectsBy === 'address'
        ? null
        : {
            async create(access, externalId, appointment) {
              await called('create', access)
              // Ids are shorter than real providers' and contain no secret, so that tests can predict them.
              const named = appointment.appointmentId.replaceAll('-', '')
              const other = eventsOf(externalId).get(named)?.event
              const isTaken = other !== undefined && other.secret !== appointment.secret
              const eventRef = isTaken ? randomUUID() : named
              const { etag } = store(externalId, toEvent(eventRef, appointment))
              return { eventRef, etag }
            },
            async update(access, { externalId, eventRef, etag }, appointment) {
              await called('update', access)
              refuseChanged(getStored(externalId, eventRef), etag)
              const stored = store(externalId, toEvent(eventRef, appointment))
              return { eventRef, etag: stored.etag }
            },
            async remove(access, { externalId, eventRef, etag }) {
              await called('remove', access)
              const event = findStored(externalId, eventRef)
              if (event === null) return
              refuseChanged(event, etag)
              drop(externalId, eventRef)
            },
            async find(access, { externalId, eventRef }) {
              await called('find', access)
              return findStored(externalId, eventRef)
            },
          },
    push: hasPush
      ? {
          async subscribe(access, { externalId, channelId, secret }) {
            await called('subscribe', access)
            const resourceId = `resource of ${externalId}`
            channels.set(channelId, { externalId, secret, resourceId })
            return { id: channelId, resourceId, expiresAtMs: now() + channelMs }
          },
          async unsubscribe(access, { id }) {
            await called('unsubscribe', access)
            channels.delete(id)
          },
        }
      : null,
  }
}

function toEvent(
  eventRef: string,
  appointment: { appointmentId: string; secret: string; title: string; startMs: number; endMs: number },
): ExternalEvent {
  const { appointmentId, secret, title, startMs, endMs } = appointment
  return {
    eventId: eventRef,
    title,
    occurrences: [{ key: '', startMs, endMs, isAllDay: false }],
    appointmentId,
    secret,
    isInvitation: false,
    unreadable: null,
    etag: null,
  }
}

function refuseChanged(event: ExternalEvent, etag: string | null): void {
  if (etag !== null && event.etag !== etag) {
    throw new CalendarProviderError('conflict', 'The event has changed since.')
  }
}
