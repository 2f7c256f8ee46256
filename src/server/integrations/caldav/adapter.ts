import { DAY_MS } from '#core/shared/duration.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { FetchTypedAddress } from '#server/platform/http/fetch-typed-address.ts'
import {
  AnswerTooLargeError,
  type BusyTime,
  type CalendarAccess,
  type CalendarProvider,
  type CalendarToRead,
  MOST_BUSY_TIMES,
  type ReaderZones,
} from '#server/ports/external-calendar.ts'
import { buildTurns } from '../icalendar/take-turns.ts'
import { toReadingZones } from '../icalendar/to-reading-zones.ts'
import { type DavAccount, toDavAccount } from './dav-account.ts'
import { buildDavFetch, type DavFetch } from './dav-fetch.ts'
import { listObjects } from './dav-requests.ts'
import { discoverAccount } from './discover-account.ts'
import { listDavCalendars } from './list-calendars.ts'
import { readDavChanges } from './read-changes.ts'
import { readObject } from './read-object.ts'
import { createEvent, findObject, removeEvent, updateEvent } from './write-events.ts'

export type CaldavSettings = {
  readonly fetchAddress: FetchTypedAddress
  /** The host in the UIDs of our emails. */
  readonly ownUidHost: string
  readonly now: Clock
}

/**
 * A server looks for dates, and for times without a zone, in a zone of its own: it is asked about more, and what lies outside is left
 * out here. Source: RFC 4791 §9.9.
 */
const ZONES_APART_MS = DAY_MS

/** The adapter for CalDAV (RFC 4791): Nextcloud, iCloud, Fastmail, Radicale and others. Source: rules G1 and G21. */
export function buildCaldavProvider({ fetchAddress, ownUidHost, now }: CaldavSettings): CalendarProvider {
  const reach = (access: CalendarAccess, signal?: AbortSignal): { account: DavAccount; fetch: DavFetch } => {
    const account = toDavAccount(access)
    return { account, fetch: buildDavFetch(fetchAddress, account, signal) }
  }
  const toSettings = ({ addresses }: DavAccount, timeZones: ReaderZones) => ({
    timeZones,
    ownerAddresses: new Set(addresses),
    ownUidHost,
  })

  return {
    isSandbox: false,
    authorization: null,
    push: null,
    // A password cannot be given back.
    disconnect: async () => {},
    connect: (typed) => discoverAccount(fetchAddress, typed),

    async listCalendars(access) {
      const { account, fetch } = reach(access)
      return listDavCalendars(fetch, account.homeUrl)
    },

    async *readChanges(access, request) {
      const { account, fetch } = reach(access, request.signal)
      const { timeZone, readerZones } = request.calendar
      const settings = toSettings(account, toReadingZones(timeZone, readerZones))
      yield* readDavChanges(fetch, request, settings)
    },

    async readBusyTimes(access, { calendars, during, signal }) {
      const { account, fetch } = reach(access, signal)
      const takeTurns = buildTurns(signal)
      const busy: BusyTime[] = []
      const addOfCalendar = async ({ externalId, timeZone, readerZones }: CalendarToRead) => {
        const settings = {
          ...toSettings(account, toReadingZones(timeZone, readerZones)),
          window: during,
        }
        const asked = { startMs: during.startMs - ZONES_APART_MS, endMs: during.endMs + ZONES_APART_MS }
        const objects = await listObjects(fetch, externalId, asked)
        for (const object of objects) {
          await takeTurns()
          const { eventId, event } = readObject(object, settings)
          const said = { externalId, eventId, appointmentId: event?.appointmentId ?? null }
          for (const { startMs, endMs } of event?.occurrences ?? []) busy.push({ ...said, startMs, endMs })
          if (busy.length > MOST_BUSY_TIMES) {
            throw new AnswerTooLargeError('refused', 'The answer of the server is too large.')
          }
        }
      }
      await Promise.all(calendars.map(addOfCalendar))
      return busy
    },

    events: {
      create: (access, externalId, appointment) =>
        createEvent(reach(access).fetch, externalId, { ...appointment, writtenAtMs: now() }),
      update: (access, handle, appointment) =>
        updateEvent(reach(access).fetch, handle, { ...appointment, writtenAtMs: now() }),
      remove: (access, handle) => removeEvent(reach(access).fetch, handle),
      async find(access, { eventRef, timeZone, readerZones: [firstZone] }) {
        const { account, fetch } = reach(access)
        const object = await findObject(fetch, eventRef)
        // The time of one of ours counts, wherever it is.
        const settings = {
          ...toSettings(account, [timeZone ?? firstZone]),
          window: { startMs: now(), endMs: now() },
        }
        return object === null ? null : readObject(object, settings).event
      },
    },
  }
}
