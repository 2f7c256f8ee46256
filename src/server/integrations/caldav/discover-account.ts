import { SECOND_MS } from '#core/shared/duration.ts'
import type { FetchOwnerUrl } from '#server/platform/http/fetch-owner-url.ts'
import {
  type CalendarErrorKind,
  CalendarProviderError,
  CalendarTooLargeError,
  type ConnectedCalendarAccount,
  type EnteredAccount,
} from '#server/ports/external-calendar.ts'
import { toAccountKey, toCredentials } from './dav-account.ts'
import { buildDavFetch, type DavFetch } from './dav-fetch.ts'
import { type DavConnection, findPrincipal } from './dav-requests.ts'
import type { Principal } from './parsers.ts'

/** Time limit for the whole discovery, because the owner is waiting for it. */
const SEARCH_MS = 20 * SECOND_MS

/** Error kinds, the most informative for the owner first. */
const BY_USEFULNESS: readonly CalendarErrorKind[] = [
  'address_refused',
  'expired',
  'refused',
  'rate_limited',
  'unavailable',
]

/**
 * Finds the account for the URL that an owner entered: its principal and calendar collection, through the well-known
 * URL, the entered URL and the server's root (RFC 6764).
 * @throws CalendarProviderError
 */
export async function discoverAccount(
  { fetchAddress, read }: { readonly fetchAddress: FetchOwnerUrl; readonly read: DavConnection['read'] },
  typed: EnteredAccount,
): Promise<ConnectedCalendarAccount> {
  if (typed.kind !== 'password')
    throw new CalendarProviderError('expired', 'A user name and a password are needed.')
  const { username, password } = typed
  const serverUrl = toServerUrl(typed.url)
  const signal = AbortSignal.timeout(SEARCH_MS)
  const { fetch, failures } = rememberFailures(buildDavFetch(fetchAddress, typed, signal))
  const dav: DavConnection = {
    fetch,
    read,
    order: { account: toAccountKey({ username, homeUrl: serverUrl }), signal },
  }
  const { principalUrl, homeUrl, addresses } = await findOwner(dav, serverUrl).catch((error) => {
    if (error instanceof CalendarTooLargeError) throw error
    throw (
      findMostUseful(failures) ??
      new CalendarProviderError('refused', 'There is no calendar server at this address.', { cause: error })
    )
  })
  if (homeUrl === null) {
    throw new CalendarProviderError('refused', 'The server names no calendars for this account.')
  }
  const { hostname } = new URL(serverUrl)
  return {
    accountId: principalUrl,
    accountName: username.includes('@') ? username : `${username} (${hostname})`,
    credentials: toCredentials({
      username,
      password,
      homeUrl,
      addresses: listAddresses(addresses, username),
    }),
    grantedScopes: [],
  }
}

type Owner = Pick<Principal, 'homeUrl' | 'addresses'> & { readonly principalUrl: string }

/** @throws the last error when no URL leads to an account */
async function findOwner(dav: DavConnection, serverUrl: string): Promise<Owner> {
  const addresses = new Set([
    await findWellKnown(dav.fetch, serverUrl),
    serverUrl,
    new URL('/', serverUrl).href,
  ])
  let failure: unknown = new Error('no address leads to a principal')
  for (const address of addresses) {
    try {
      const { principalUrl } = await findPrincipal(dav, address)
      if (principalUrl !== null) return { ...(await findPrincipal(dav, principalUrl)), principalUrl }
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** Returns the redirect target of the well-known URL, or the entered URL when there is none. Source: RFC 6764 §5. */
async function findWellKnown(fetch: DavFetch, serverUrl: string): Promise<string> {
  const url = new URL('/.well-known/caldav', serverUrl)
  for (const method of ['PROPFIND', 'GET']) {
    const answer = await fetch(url.href, { method, redirect: 'manual' }).catch(() => null)
    const location =
      answer !== null && answer.status >= 300 && answer.status < 400 ? answer.headers.get('location') : null
    if (location === null || !URL.canParse(location, url.href)) continue
    const found = new URL(location, url)
    // Servers behind a proxy often redirect without their port.
    if (found.hostname === url.hostname && found.port === '') found.port = url.port
    return found.href
  }
  return serverUrl
}

/**
 * Collects the reason of each failure, because the last one can be the least informative. Sends no further requests to
 * a server that did not respond.
 */
function rememberFailures(inner: DavFetch): {
  readonly fetch: DavFetch
  readonly failures: CalendarProviderError[]
} {
  const failures: CalendarProviderError[] = []
  const dead = new Map<string, CalendarProviderError>()
  const fetch: DavFetch = async (url, init) => {
    const { origin } = new URL(url)
    const known = dead.get(origin)
    if (known !== undefined) throw known
    try {
      return await inner(url, init)
    } catch (error) {
      if (!(error instanceof CalendarProviderError)) throw error
      failures.push(error)
      if (error.kind !== 'expired') dead.set(origin, error)
      throw error
    }
  }
  return { fetch, failures }
}

function findMostUseful(failures: readonly CalendarProviderError[]): CalendarProviderError | undefined {
  return BY_USEFULNESS.flatMap((kind) => failures.filter((failure) => failure.kind === kind))[0]
}

/** Turns the owner's input into a URL: people also enter only a host name, such as `dav.example.org`. */
function toServerUrl(typed: string): string {
  const text = typed.trim().replace(/^caldavs?:\/\//i, 'https://')
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(url))
    throw new CalendarProviderError('refused', 'This is not an address that can be fetched.')
  return new URL(url).href
}

/**
 * Returns the owner's addresses in events, in lower case: email addresses, and other forms that the server reports.
 * Servers need not report any.
 */
function listAddresses(named: readonly string[], username: string): string[] {
  const addresses = named.map((address) => address.replace(/^mailto:/i, ''))
  const all = [...addresses, ...(username.includes('@') ? [username] : [])]
  return [...new Set(all.map((address) => address.toLowerCase()))]
}
