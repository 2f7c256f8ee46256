import { lookup as lookupAddresses } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, fetch as undiciFetch } from 'undici'
import { OwnerUrlError, type OwnerUrlProblem } from './owner-url-error.ts'
import { type AllowedNetworks, isInNetworks, isOnInternet } from './reachable-networks.ts'

export type OwnerUrlRequest = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** With `manual`, a redirect is returned as the response. */
  readonly redirect?: 'follow' | 'manual'
  readonly signal?: AbortSignal
  /** Time limit for the whole request (DNS, redirects and the complete body), in milliseconds. */
  readonly timeoutMs: number
  /** Maximum size of the body after decompression, in bytes. */
  readonly maxBytes: number
}

/** Fetches a URL that an owner entered, or that the owner's server returned. The body is read completely. */
export type FetchOwnerUrl = (url: string, request: OwnerUrlRequest) => Promise<Response>

/** Resolves a host name with a new DNS query. */
type Resolve = (hostname: string) => Promise<readonly { readonly address: string; readonly family: number }[]>

const MAX_REDIRECTS = 5
const CONNECT_TIMEOUT_MS = 5_000
/** Statuses whose response has no body. Source: Fetch standard, null body status. */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * Builds the only function that fetches URLs entered by owners. Each connection goes to exactly the IP address that was
 * checked: the name is resolved once, inside the connection, so that a second, different DNS answer cannot change the
 * target (DNS rebinding). Redirects are followed one by one with the same check. Source: rule G21.
 * @throws OwnerUrlError from the returned function
 */
export function buildOwnerUrlFetcher({
  allowedNetworks,
  resolve = resolveByDns,
}: {
  readonly allowedNetworks: AllowedNetworks
  readonly resolve?: Resolve
}): FetchOwnerUrl {
  const isAllowed = (address: string) => isInNetworks(address, allowedNetworks)
  const agents = {
    internet: buildAgent(resolve, 'private', (address) => isAllowed(address) || isOnInternet(address)),
    // Unencrypted requests are allowed here: an operator who allows a private network vouches for its servers.
    allowed: buildAgent(resolve, 'unencrypted', isAllowed),
  }

  function fetchOnce({ url, method, headers, body }: Hop, signal: AbortSignal) {
    const isReadable = url.protocol === 'http:' && headers.authorization !== undefined
    const dispatcher = isReadable ? agents.allowed : agents.internet
    return undiciFetch(url, { method, headers, body, dispatcher, signal, redirect: 'manual' })
  }

  async function fetchFollowing(first: Hop, request: OwnerUrlRequest, signal: AbortSignal) {
    let hop = first
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const answer = await fetchOnce(hop, signal)
      const location = request.redirect === 'manual' ? null : redirectOf(answer)
      if (location === null) return await toResponse(answer, request.maxBytes)
      await answer.body?.cancel()
      hop = followedBy(hop, answer.status, toUrl(location, hop.url))
    }
    throw new OwnerUrlError('unreachable', { cause: new Error('too many redirects') })
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
  /** The headers, by names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}
type Answer = Awaited<ReturnType<typeof undiciFetch>>

function buildAgent(
  resolve: Resolve,
  problem: OwnerUrlProblem,
  mayReach: (address: string) => boolean,
): Agent {
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname).then(
      (found) => {
        const [first] = found
        if (first === undefined) return callback(new OwnerUrlError('unreachable'), '')
        // Refuse the host if any of its addresses is private: honest hosts do not mix public and private addresses (DNS
        // rebinding).
        if (!found.every(({ address }) => mayReach(address))) return callback(new OwnerUrlError(problem), '')
        if (options.all === true) callback(null, [...found])
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
  const connector = buildConnector({ lookup, timeout: CONNECT_TIMEOUT_MS })
  return new Agent({
    connect(options, callback) {
      // A host that is an IP address skips the DNS lookup, so check it here. The URL parser has normalised its
      // notation.
      const host = options.hostname.replace(/^\[(.*)\]$/, '$1')
      if (isIP(host) !== 0 && !mayReach(host)) return callback(new OwnerUrlError(problem), null)
      connector(options, callback)
    },
  })
}

function resolveByDns(hostname: string) {
  return lookupAddresses(hostname, { all: true })
}

/**
 * Parses a URL and checks its port. Below 1024 only the http and https ports are allowed, because the others belong to
 * other protocols. Above 1024, `fetch` refuses the ports that browsers block.
 */
function toUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : null
  const port = Number(url?.port)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url === null || !isWeb || (port > 0 && port < 1024 && port !== 80 && port !== 443)) {
    throw new OwnerUrlError('invalid')
  }
  // Remove the credentials from the URL, because fetch refuses them there; they are sent in a header instead.
  url.username = ''
  url.password = ''
  return url
}

function redirectOf({ status, headers }: Answer): string | null {
  return [301, 302, 303, 307, 308].includes(status) ? headers.get('location') : null
}

function isSameServer(a: URL, b: URL): boolean {
  const withoutTls = (url: URL) => `${url.hostname}:${url.port}`
  // An upgrade from http to https on the same host counts as the same server.
  return a.origin === b.origin || (b.protocol === 'https:' && withoutTls(a) === withoutTls(b))
}

/**
 * Builds the request for a redirect. A password is never sent to another server, and an encrypted request never becomes
 * unencrypted. Source: Fetch standard, HTTP-redirect fetch.
 */
function followedBy(hop: Hop, status: number, url: URL): Hop {
  if (hop.url.protocol === 'https:' && url.protocol === 'http:') throw new OwnerUrlError('unencrypted')
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

/** Reads the body and stops once it exceeds the limit: a small file can decompress to a huge one. */
async function toResponse(answer: Answer, maxBytes: number): Promise<Response> {
  const { status, statusText } = answer
  const headers = new Headers([...answer.headers])
  // Remove the headers that describe the encoded body, because the body is decoded.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) headers.delete(name)
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of answer.body ?? []) {
    size += part.byteLength
    if (size > maxBytes) throw new OwnerUrlError('too_large')
    parts.push(part)
  }
  const body = WITHOUT_BODY.has(status) ? null : Buffer.concat(parts)
  return new Response(body, { status, statusText, headers })
}

/** Finds the original error. `fetch` wraps it, and a connection attempt to several addresses wraps it again. */
function toAddressError(error: unknown, signal: AbortSignal): OwnerUrlError {
  for (let inner: unknown = error, depth = 0; inner instanceof Error && depth < 5; depth += 1) {
    if (inner instanceof OwnerUrlError) return inner
    inner = inner.cause
  }
  return new OwnerUrlError(signal.aborted ? 'too_slow' : 'unreachable', { cause: error })
}
