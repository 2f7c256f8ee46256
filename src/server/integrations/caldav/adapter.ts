import { DAY_MS } from '#core/shared/duration.ts'
import { toEffectiveZones } from '#server/integrations/icalendar/to-effective-zones.ts'
import {
  getOnlyPart,
  type ParseJob,
  rethrowForBookingCheck,
} from '#server/integrations/reading/parser-table.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { FetchOwnerUrl } from '#server/platform/http/fetch-owner-url.ts'
import {
  type CalendarAccess,
  type CalendarProvider,
  type CalendarToQuery,
  MAX_BUSY_TIMES,
  type ReaderZones,
  ResponseTooLargeError,
} from '#server/ports/external-calendar.ts'
import { type DavAccount, toAccountKey, toDavAccount } from './dav-account.ts'
import { buildDavFetch } from './dav-fetch.ts'
import { type DavConnection, listDavCalendars, readBusyTimes } from './dav-requests.ts'
import { discoverAccount } from './discover-account.ts'
import { readDavChanges } from './read-changes.ts'
import { createEvent, type DavWriteContext, fetchObject, removeEvent, updateEvent } from './write-events.ts'

export type CaldavSettings = {
  readonly fetchAddress: FetchOwnerUrl
  readonly read: DavConnection['read']
  /** The host part of the UIDs in our emails' calendar files. */
  readonly ownUidHost: string
  readonly now: Clock
}

/**
 * Margin around a query's time range. Servers interpret dates, and times without a zone, in a zone of their own, so the
 * query covers a longer range and the result is filtered here. Source: RFC 4791 §9.9.
 */
const ZONES_APART_MS = DAY_MS

/** Matches an email address, but no path or URN. */
const EMAIL_ADDRESS = /^[^\s/:]+@[^\s/]+$/

type Reached = { readonly account: DavAccount; readonly dav: DavConnection }

/** CalDAV adapter (RFC 4791): Nextcloud, iCloud, Fastmail, Radicale and others. Source: rules G1 and G21. */
export function buildCaldavProvider({
  fetchAddress,
  read,
  ownUidHost,
  now,
}: CaldavSettings): CalendarProvider {
  const reach = (access: CalendarAccess, order: Omit<ParseJob, 'account'> = {}): Reached => {
    const account = toDavAccount(access)
    const fetch = buildDavFetch(fetchAddress, account, order.signal)
    return { account, dav: { fetch, read, order: { ...order, account: toAccountKey(account) } } }
  }
  const toSettings = async (access: CalendarAccess, account: DavAccount, timeZones: ReaderZones) => ({
    timeZones,
    ownerAddresses: await listOwnerAddresses(access, account),
    ownUidHost,
  })
  const toWriting = async (access: CalendarAccess): Promise<DavWriteContext> => {
    const { account, dav } = reach(access)
    return { dav, ownerAddresses: await listOwnerAddresses(access, account) }
  }

  return {
    isSandbox: false,
    authorization: null,
    push: null,
    // We cannot revoke a password, so there is nothing to do at the server.
    disconnect: async () => {},
    connect: (typed) => discoverAccount({ fetchAddress, read }, typed),

    async listCalendars(access) {
      const { account, dav } = reach(access)
      return listDavCalendars(dav, account.homeUrl)
    },

    async *readChanges(access, request) {
      const { account, dav } = reach(access, request.signal && { signal: request.signal })
      const { timeZone, readerZones } = request.calendar
      const settings = await toSettings(access, account, toEffectiveZones(timeZone, readerZones))
      yield* readDavChanges(dav, request, settings)
    },

    async readBusyTimes(access, { calendars, during, signal }) {
      const { account, dav } = reach(access, { signal, isQuestion: true })
      const asked = { startMs: during.startMs - ZONES_APART_MS, endMs: during.endMs + ZONES_APART_MS }
      const listOfCalendar = async ({ externalId, timeZone, readerZones, copied = [] }: CalendarToQuery) => {
        const settings = {
          ...(await toSettings(access, account, toEffectiveZones(timeZone, readerZones))),
          window: during,
        }
        return readBusyTimes(dav, externalId, { asked, copied, settings })
      }
      const busy = (await Promise.all(calendars.map(listOfCalendar)).catch(rethrowForBookingCheck)).flat()
      if (busy.length > MAX_BUSY_TIMES) {
        throw new ResponseTooLargeError('refused', 'The answer of the server is too large.')
      }
      return busy
    },

    events: {
      create: async (access, externalId, appointment) =>
        createEvent(await toWriting(access), externalId, { ...appointment, writtenAtMs: now() }),
      update: async (access, handle, appointment) =>
        updateEvent(await toWriting(access), handle, { ...appointment, writtenAtMs: now() }),
      remove: (access, handle) => removeEvent(reach(access).dav, handle),
      async find(access, { eventRef, timeZone, readerZones: [firstZone] }) {
        const { account, dav } = reach(access)
        const object = await fetchObject(dav, eventRef)
        // The window is ignored here: an appointment's event is returned even when the owner moved it far away.
        const settings = {
          ...(await toSettings(access, account, [timeZone ?? firstZone])),
          window: { startMs: now(), endMs: now() },
        }
        return object === null
          ? null
          : getOnlyPart(await read('event', { ...object, url: eventRef, settings }, dav.order))
      },
    },
  }
}

/**
 * Returns the owner's email addresses as they appear in events, in lower case. A server need not report any; without
 * them, calendar programs write whatever address the owner uses elsewhere. Source: rule G27.
 */
async function listOwnerAddresses(
  { findOwnerEmail }: CalendarAccess,
  { addresses }: DavAccount,
): Promise<ReadonlySet<string>> {
  if (addresses.some((address) => EMAIL_ADDRESS.test(address))) return new Set(addresses)
  const email = await findOwnerEmail?.()
  return new Set(email ? [...addresses, email.toLowerCase()] : addresses)
}
