import { createAccount, type DAVAccount, fetchCalendarUserAddresses } from 'tsdav'
import { SECOND_MS } from '#core/shared/duration.ts'
import type { FetchTypedAddress } from '#server/platform/http/fetch-typed-address.ts'
import {
  type CalendarErrorKind,
  CalendarProviderError,
  type ConnectedCalendarAccount,
  type TypedAccount,
} from '#server/ports/external-calendar.ts'
import { toCredentials } from './dav-account.ts'
import { buildDavFetch, type DavFetch } from './dav-fetch.ts'

/** For the whole search: the owner waits. */
const SEARCH_MS = 20 * SECOND_MS

/** Which of the failures on the way tells the owner most. */
const MOST_TELLING: readonly CalendarErrorKind[] = [
  'address_refused',
  'expired',
  'refused',
  'rate_limited',
  'unavailable',
]

/**
 * Finds the account behind what an owner typed: its principal and the place of its calendars, by the well-known address, by the
 * typed one and by the root of the server (RFC 6764).
 * @throws CalendarProviderError
 */
export async function discoverAccount(
  fetchAddress: FetchTypedAddress,
  typed: TypedAccount,
): Promise<ConnectedCalendarAccount> {
  if (typed.kind !== 'password')
    throw new CalendarProviderError('expired', 'A user name and a password are needed.')
  const serverUrl = toServerUrl(typed.url)
  const signal = AbortSignal.timeout(SEARCH_MS)
  const { fetch, failures } = rememberFailures(buildDavFetch(fetchAddress, typed, signal))
  const account = await createAccount({ account: { accountType: 'caldav', serverUrl }, fetch }).catch(
    (error) => {
      throw (
        mostTelling(failures) ??
        new CalendarProviderError('refused', 'There is no calendar server at this address.', { cause: error })
      )
    },
  )
  const { principalUrl, homeUrl } = account
  if (principalUrl === undefined || homeUrl === undefined) {
    throw new CalendarProviderError('refused', 'The server names no calendars for this account.')
  }
  const { username, password } = typed
  const { hostname } = new URL(serverUrl)
  return {
    accountId: principalUrl,
    accountName: username.includes('@') ? username : `${username} (${hostname})`,
    credentials: toCredentials({
      username,
      password,
      homeUrl,
      addresses: await listAddresses(account, username, fetch),
    }),
    grantedScopes: [],
  }
}

/** tsdav tries one address after the other and keeps the reasons to itself. A server that is dead is not asked a second time. */
function rememberFailures(inner: DavFetch): {
  readonly fetch: DavFetch
  readonly failures: CalendarProviderError[]
} {
  const failures: CalendarProviderError[] = []
  const dead = new Map<string, CalendarProviderError>()
  const fetch: DavFetch = async (url, init) => {
    const { origin } = new URL(String(url))
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

function mostTelling(failures: readonly CalendarProviderError[]): CalendarProviderError | undefined {
  return MOST_TELLING.flatMap((kind) => failures.filter((failure) => failure.kind === kind))[0]
}

/** People type `dav.example.org`, too. */
function toServerUrl(typed: string): string {
  const text = typed.trim().replace(/^caldavs?:\/\//i, 'https://')
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(url))
    throw new CalendarProviderError('refused', 'This is not an address that can be fetched.')
  return new URL(url).href
}

/** Who the owner is among the guests of an event. A server need not say it. */
async function listAddresses(account: DAVAccount, username: string, fetch: DavFetch): Promise<string[]> {
  const named = await fetchCalendarUserAddresses({ account, fetch }).catch(() => [])
  const addresses = named
    .filter((address) => /^mailto:/i.test(address))
    .map((address) => address.slice('mailto:'.length))
  const all = [...addresses, ...(username.includes('@') ? [username] : [])]
  return [...new Set(all.map((address) => address.toLowerCase()))]
}
