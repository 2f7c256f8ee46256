import { randomUUID } from 'node:crypto'
import { buildOwnerUrlFetcher } from '#server/platform/http/fetch-owner-url.ts'
import { toAllowedNetworks } from '#server/platform/http/reachable-networks.ts'
import {
  type EventAddedByPerson,
  type ProviderTestAccount,
  testCalendarProviderContract,
} from '#tests/support/calendar-provider-contract.ts'
import { type DavFault, respondWithStatus, startDavProxy } from '#tests/support/dav-proxy.ts'
import { BERLIN_TIME_ZONE_LINES, toCalendarText, toEventLines } from '#tests/support/persons-event-file.ts'
import { startRadicale } from '#tests/support/radicale.ts'
import { runReadingsInProcess } from '#tests/support/read-here.ts'
import { buildCaldavProvider } from './adapter.ts'
import { CALDAV_PARSERS } from './parsers.ts'

testCalendarProviderContract('CalDAV, with a server that knows what changed,', () => openWorld())
testCalendarProviderContract('CalDAV, with a server that does not know what changed,', () =>
  openWorld({ edit: withoutSync }),
)

/** Turns a response into that of a server without RFC 6578, which has no sync tokens. */
function withoutSync(body: string): string {
  return body
    .replace(/<(\w+:)?sync-token>[^<]*<\/(\w+:)?sync-token>/g, '')
    .replace(/<(\w+:)?sync-token *\/>/g, '')
}

async function openWorld({ edit }: { edit?: (body: string) => string } = {}): Promise<ProviderTestAccount> {
  const radicale = await startRadicale()
  const proxy = await startDavProxy(radicale.url, edit)
  const { username, password } = radicale
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const ask = async (method: string, path: string, body?: string) => {
    const headers = {
      authorization,
      'content-type': body?.startsWith('<') ? 'application/xml' : 'text/calendar',
    }
    const answer = await fetch(new URL(path, radicale.url), {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  }
  const home = `/${encodeURIComponent(username)}/`
  await ask('MKCALENDAR', `${home}work/`, MAKE_CALENDAR)
  const provider = buildCaldavProvider({
    fetchAddress: buildOwnerUrlFetcher({ allowedNetworks: toAllowedNetworks(['127.0.0.1']) }),
    ownUidHost: 'meridian.example',
    read: runReadingsInProcess(CALDAV_PARSERS),
    now: () => Date.parse('2026-12-01T09:00:00Z'),
  })
  const account = await provider.connect?.({ kind: 'password', url: proxy.url, username, password })
  if (account === undefined) throw new Error('a password connects')
  const access = { credentials: account.credentials, saveCredentials: async (saved: string) => saved }
  const [calendar] = await provider.listCalendars(access)
  if (calendar === undefined) throw new Error('the calendar is listed')
  const kept = new Map<string, EventAddedByPerson>()
  // An event's id is its URL. Events that we wrote keep their UID, so it follows from the URL.
  const toUid = (id: string) => {
    const secret = /meridian-[^/]+[.](?<secret>[^/.]+)[.]ics$/.exec(id)?.groups?.secret
    return secret === undefined ? id : `${secret}@meridian.example`
  }
  const toPath = (id: string) => (URL.canParse(id) ? new URL(id).pathname : `${home}work/${id}.ics`)
  const put = (id: string, event: EventAddedByPerson) => {
    kept.set(id, event)
    return ask(
      'PUT',
      toPath(id),
      toCalendarText([...BERLIN_TIME_ZONE_LINES, ...toEventLines(toUid(id), username, event)]),
    )
  }
  const addEvent = async (event: EventAddedByPerson) => {
    const id = randomUUID()
    await put(id, event)
    return id
  }
  const withFault = (fault: DavFault) => async () => proxy.setFault(fault)
  return {
    provider,
    access,
    externalId: calendar.externalId,
    addEvent,
    addClaim: (claims, time) => addEvent({ ...time, claims }),
    moveEvent: (id, time) => put(id, { ...(kept.get(id) ?? time), ...time }),
    deleteEvent: (id) => ask('DELETE', toPath(id)),
    faults: {
      cursor_lost: edit === undefined ? withFault(refuseToken) : null,
      expired: withFault(respondWithStatus(401)),
      rate_limited: withFault(respondWithStatus(429, { 'retry-after': '30' })),
      unavailable: withFault(respondWithStatus(503)),
    },
    heal: async () => proxy.setFault(null),
    async stop() {
      await proxy.stop()
      await radicale.stop()
    },
  }
}

/** Responds as radicale does after it has forgotten a token. */
const refuseToken: DavFault = (_request, body, answer) => {
  if (!body.includes('sync-collection')) return false
  answer
    .writeHead(403, { 'content-type': 'text/xml; charset=utf-8' })
    .end('<?xml version="1.0"?><error xmlns="DAV:"><valid-sync-token /></error>')
  return true
}

const MAKE_CALENDAR = `<?xml version="1.0" encoding="utf-8"?>
<C:mkcalendar xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:caldav"><D:set><D:prop>
<D:displayname>Work</D:displayname>
<C:supported-calendar-component-set><C:comp name="VEVENT"/></C:supported-calendar-component-set>
<C:calendar-timezone>${toCalendarText(BERLIN_TIME_ZONE_LINES)}</C:calendar-timezone>
</D:prop></D:set></C:mkcalendar>`
