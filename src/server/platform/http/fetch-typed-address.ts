import { lookup as lookupAddresses } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, fetch as undiciFetch } from 'undici'
import { AddressError, type AddressProblem } from './address-error.ts'
import { type AllowedNetworks, isInNetworks, isOnInternet } from './reachable-networks.ts'

export type TypedAddressRequest = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** manual: a redirect is the answer. */
  readonly redirect?: 'follow' | 'manual'
  readonly signal?: AbortSignal
  /** For everything: names, redirects and the whole body. */
  readonly timeoutMs: number
  /** Of the body, after decompression. */
  readonly maxBytes: number
}

/** Fetches an address that an owner typed, or that a server of theirs named. The answer is there as a whole. */
export type FetchTypedAddress = (url: string, request: TypedAddressRequest) => Promise<Response>

/** The addresses of a name, as the DNS answers now. */
type Resolve = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

const MAX_REDIRECTS = 5
const CONNECT_TIMEOUT_MS = 5_000
/** Answers that have no body, not even an empty one. Source: Fetch standard, null body status. */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * Builds the only way to addresses that owners type. Each connection goes to exactly the IP address that was checked: a name is
 * looked up once, inside the connection, so a second answer of the DNS cannot lead elsewhere. Redirects are followed one by one,
 * each through the same check. Source: rule G21.
 * @throws AddressError from the built function
 */
export function buildFetchTypedAddress({
  allowedNetworks,
  resolve = resolveByDns,
}: {
  readonly allowedNetworks: AllowedNetworks
  readonly resolve?: Resolve
}): FetchTypedAddress {
  const isAllowed = (address: string) => isInNetworks(address, allowedNetworks)
  const agents = {
    internet: buildAgent(resolve, 'private', (address) => isAllowed(address) || isOnInternet(address)),
    // An operator who allows a network vouches for what can be read in it.
    allowed: buildAgent(resolve, 'unencrypted', isAllowed),
  }

  function fetchOnce({ url, method, headers, body }: Hop, signal: AbortSignal) {
    const isReadable = url.protocol === 'http:' && headers.authorization !== undefined
    const dispatcher = isReadable ? agents.allowed : agents.internet
    return undiciFetch(url, { method, headers, body, dispatcher, signal, redirect: 'manual' })
  }

  async function fetchFollowing(first: Hop, request: TypedAddressRequest, signal: AbortSignal) {
    let hop = first
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await fetchOnce(hop, signal)
      const location = request.redirect === 'manual' ? null : redirectOf(answer)
      if (location === null) return await toResponse(answer, request.maxBytes)
      await answer.body?.cancel()
      hop = followedBy(hop, answer.status, toUrl(location, hop.url))
    }
    throw new AddressError('unreachable', { cause: new Error('too many redirects') })
  }

  return async (typed, request) => {
    const signals = request.signal === undefined ? [] : [request.signal]
    const signal = AbortSignal.any([AbortSignal.timeout(request.timeoutMs), ...signals])
    const { method = 'GET', headers = {}, body = null } = request
    const url = toUrl(typed)
    try {
      return await fetchFollowing(
        { url, method, headers: withLowerCaseNames(headers), body },
        request,
        signal,
      )
    } catch (error) {
      throw toAddressError(error, signal)
    }
  }
}

type Hop = {
  readonly url: URL
  readonly method: string
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}
type Answer = Awaited<ReturnType<typeof undiciFetch>>

function buildAgent(
  resolve: Resolve,
  problem: AddressProblem,
  mayReach: (address: string) => boolean,
): Agent {
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const [first] = found
        if (first === undefined) return callback(new AddressError('unreachable'), '')
        // One of several that is private is no mistake of anybody who means well.
        if (!found.every(({ address }) => mayReach(address))) return callback(new AddressError(problem), '')
        if (options.all === true) callback(null, [...found])
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
  const connector = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS })
  return new Agent({
    connect(options, callback) {
      // Nothing is looked up for a host that is an IP address. The URL has made one form of all ways to write it.
      const host = options.hostname.replace(/^\[(.*)\]$/, '$1')
      if (isIP(host) !== 0 && !mayReach(host)) return callback(new AddressError(problem), null)
      connector(options, callback)
    },
  })
}

function resolveByDns(hostname: string) {
  return lookupAddresses(hostname, { all: true })
}

/**
 * Below 1024 only the ports of http and https are allowed: the others belong to other protocols. Above, `fetch` itself refuses the
 * ports that browsers refuse.
 */
function toUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : null
  const port = Number(url?.port)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url === null || !isWeb || (port > 0 && port < 1024 && port !== 80 && port !== 443)) {
    throw new AddressError('invalid')
  }
  // A name and a password in an address are refused by fetch; they come in a header.
  url.username = ''
  url.password = ''
  return url
}

function redirectOf({ status, headers }: Answer): string | null {
  return [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null
}

function isSameServer(a: URL, b: URL): boolean {
  const withoutTls = (url: URL) => `${url.hostname}:${url.port}`
  // The same server with encryption is still the same.
  return a.origin === b.origin || (b.protocol === 'https:' && withoutTls(a) === withoutTls(b))
}

/**
 * What is sent to the address of a redirect. A password stays with the server that it is for, and what was encrypted stays so.
 * Source: Fetch standard, HTTP-redirect fetch.
 */
function followedBy(hop: Hop, status: number, url: URL): Hop {
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') throw new AddressError('unencrypted')
  const { authorization, ...withoutPassword } = hop.headers
  const headers = isSameServer(hop.url, url) ? hop.headers : withoutPassword
  const becomesGet =
    (status === 303 && hop.method !== 'GET' && hop.method !== 'HEAD') ||
    ((status === 301 || status === 302) && hop.method === 'POST')
  return becomesGet ? { url, method: 'GET', headers, body: null } : { ...hop, url, headers }
}

function withLowerCaseNames(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries([
    ['user-agent', 'Meridian'],
    ...Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  ])
}

/** Reads the body, and stops as soon as it is too large: a small file can unpack to a huge one. */
async function toResponse(answer: Answer, maxBytes: number): Promise<Response> {
  const { status, statusText } = answer
  const headers = new Headers([...answer.headers])
  // They describe what was on the wire.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.byteLength
    if (size > maxBytes) throw new AddressError('too_large')
    parts.push(part)
  }
  const body = WITHOUT_BODY.has(status) ? null : Buffer.concat(parts)
  return new Response(body, { status, statusText, headers })
}

/** `fetch` wraps what went wrong, and a connection to several addresses wraps it again. */
function toAddressError(error: unknown, signal: AbortSignal): AddressError {
  for (let inner: unknown = error, depth = 0; inner instanceof Error && depth < 5; depth += 1) {
    if (inner instanceof AddressError) return inner
    inner = inner.cause
  }
  return new AddressError(signal.aborted ? 'too_slow' : 'unreachable', { cause: error })
}
