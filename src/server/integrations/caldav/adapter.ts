import { DAY_MS } from '#core/shared/duration.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { FetchTypedAddress } from '#server/platform/http/fetch-typed-address.ts'
import {
  AnswerTooLargeError,
  type CalendarAccess,
  type CalendarProvider,
  type CalendarToAsk,
  MAX_BUSY_TIMES,
  type ReaderZones,
} from '#server/ports/external-calendar.ts'
import { toReadingZones } from '../icalendar/to-reading-zones.ts'
import { getOnlyPart, type Order } from '../reading/readings.ts'
import { throwForBooking } from '../reading/throw-for-booking.ts'
import { type DavAccount, toAccountKey, toDavAccount } from './dav-account.ts'
import { buildDavFetch } from './dav-fetch.ts'
import { type Dav, listDavCalendars, readBusyTimes } from './dav-requests.ts'
import { discoverAccount } from './discover-account.ts'
import { readDavChanges } from './read-changes.ts'
import { createEvent, type DavWriting, findObject, removeEvent, updateEvent } from './write-events.ts'

export type CaldavSettings = {
  readonly fetchAddress: FetchTypedAddress
  readonly read: Dav['read']
  /** The host in the UIDs of our emails. */
  readonly ownUidHost: string
  readonly now: Clock
}

/**
 * A server looks for dates, and for times without a zone, in a zone of its own: it is asked about more, and what lies outside is left
 * out here. Source: RFC 4791 §9.9.
 */
const ZONES_APART_MS = DAY_MS

/** No path, and no URN. */
const EMAIL_ADDRESS = /^[^\s/:]+@[^\s/]+$/

type Reached = { readonly account: DavAccount; readonly dav: Dav }

/** The adapter for CalDAV (RFC 4791): Nextcloud, iCloud, Fastmail, Radicale and others. Source: rules G1 and G21. */
export function buildCaldavProvider({
  fetchAddress,
  read,
  ownUidHost,
  now,
}: CaldavSettings): CalendarProvider {
  const reach = (access: CalendarAccess, order: Omit<Order, 'account'> = {}): Reached => {
    const account = toDavAccount(access)
    const fetch = buildDavFetch(fetchAddress, account, order.signal)
    return { account, dav: { fetch, read, order: { ...order, account: toAccountKey(account) } } }
  }
  const toSettings = async (access: CalendarAccess, account: DavAccount, timeZones: ReaderZones) => ({
    timeZones,
    ownerAddresses: await listOwnerAddresses(access, account),
    ownUidHost,
  })
  const toWriting = async (access: CalendarAccess): Promise<DavWriting> => {
    const { account, dav } = reach(access)
    return { dav, ownerAddresses: await listOwnerAddresses(access, account) }
  }

  return {
    isSandbox: false,
    authorization: null,
    push: null,
    // A password cannot be given back.
    disconnect: async () => {},
    connect: (typed) => discoverAccount({ fetchAddress, read }, typed),

    async listCalendars(access) {
      const { account, dav } = reach(access)
      return listDavCalendars(dav, account.homeUrl)
    },

    async *readChanges(access, request) {
      const { account, dav } = reach(access, request.signal && { signal: request.signal })
      const { timeZone, readerZones } = request.calendar
      const settings = await toSettings(access, account, toReadingZones(timeZone, readerZones))
      yield* readDavChanges(dav, request, settings)
    },

    async readBusyTimes(access, { calendars, during, signal }) {
      const { account, dav } = reach(access, { signal, isQuestion: true })
      const asked = { startMs: during.startMs - ZONES_APART_MS, endMs: during.endMs + ZONES_APART_MS }
      const listOfCalendar = async ({ externalId, timeZone, readerZones, copied = [] }: CalendarToAsk) => {
        const settings = {
          ...(await toSettings(access, account, toReadingZones(timeZone, readerZones))),
          window: during,
        }
        return readBusyTimes(dav, externalId, { asked, copied, settings })
      }
      const busy = (await Promise.all(calendars.map(listOfCalendar)).catch(throwForBooking)).flat()
      if (busy.length > MAX_BUSY_TIMES) {
        throw new AnswerTooLargeError('refused', 'The answer of the server is too large.')
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
        const object = await findObject(dav, eventRef)
        // The time of one of ours counts, wherever it is.
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
 * By which addresses the owner is known among the people of an event, in lower case. A server need not say any, and then the owner's own
 * programs write the address that the owner has elsewhere. Source: rule G27.
 */
async function listOwnerAddresses(
  { findOwnerEmail }: CalendarAccess,
  { addresses }: DavAccount,
): Promise<ReadonlySet<string>> {
  if (addresses.some((address) => EMAIL_ADDRESS.test(address))) return new Set(addresses)
  const email = await findOwnerEmail?.()
  return new Set(email ? [...addresses, email.toLowerCase()] : addresses)
}
