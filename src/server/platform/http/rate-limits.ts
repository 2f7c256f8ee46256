import type { FastifyRateLimitStore, FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Clock } from '#server/platform/clock.ts'
import { type Client, clientOfRequest, NETWORK_LIMIT_FACTOR } from './client-of-request.ts'
import {
  type AddRequestCounts,
  buildRequestCounts,
  type CountedRequest,
  type RequestLimit,
} from './request-counts.ts'
import { isOnInstallationHost } from './request-hosts.ts'

export type RateLimitOptions = {
  /**
   * Maximum number of requests per client (see `clientOfRequest`) and minute, for everything under `/api/public/` and all
   * `COUNT_AS_PUBLIC_READ` routes together.
   */
  readonly publicRequestsPerMinute: number
  readonly now: Clock
  /** Shares request counts through the database; null when no other process uses this database. */
  readonly addRequestCounts: AddRequestCounts | null
}

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to
  interface FastifyContextConfig {
    /** True for routes that query the database for visitors; they count towards the public limit. */
    readonly isVisit?: boolean
  }
}

/**
 * Route `config` for public pages outside `/api/public/` that query the database: counted like a public read.
 * Source: rule X6.
 */
export const COUNT_AS_PUBLIC_READ = { isVisit: true } as const

/** Interval at which processes exchange their counts of reads, in milliseconds. */
const EXCHANGE_MS = 1_000

/**
 * Rate limits requests per client (`docs/decisions/0014`). Public reads are counted in this process and exchanged with
 * the other processes once a second. Public writes, and routes with a limit in their `config`, are counted across all
 * processes immediately. Owner routes require a session, and most account operations have their own limit.
 * Source: rule X6.
 */
export async function registerRateLimits(app: FastifyInstance, options: RateLimitOptions): Promise<void> {
  const counts = buildClientCounts({ now: options.now, add: options.addRequestCounts })
  // Routes with their own rate limit use child stores of this store.
  const counted: FastifyRateLimitStore = {
    incr(key, done, windowMs, max) {
      counts.countEverywhere(readKey(key), { windowMs, max }).then(
        (limited) => done(null, toAnswer(limited)),
        (error) => done(error),
      )
    },
    child: () => counted,
  }
  const shared: FastifyRateLimitStore = {
    incr: (key, done, windowMs, max) =>
      done(null, toAnswer(counts.countHere(readKey(key), { windowMs, max }))),
    child: () => counted,
  }

  const writeLimit = { max: Math.ceil(options.publicRequestsPerMinute / 10), timeWindow: '1 minute' }
  app.addHook('onRoute', (route) => {
    const limit =
      route.config?.rateLimit ?? (isPublicWrite(route) ? { ...writeLimit, groupId: WRITES } : undefined)
    if (limit === undefined || limit === false) return
    // The group is part of the key, so each route with its own limit has its own count.
    route.config = { ...route.config, rateLimit: { groupId: ` ${route.url}`, ...limit } }
  })
  await app.register(rateLimit, {
    max: options.publicRequestsPerMinute,
    timeWindow: '1 minute',
    keyGenerator: (request) => writeKey(clientOfRequest(request)),
    // Decide by the matched route, because one path can be written in many ways.
    allowList: (request: FastifyRequest) => {
      const { url = '', config } = request.routeOptions
      // The installation's own home page at `/` does not query the database, so it does not count.
      const isVisit = config.isVisit === true || (url === '/' && !isOnInstallationHost(request))
      return !url.startsWith(PUBLIC) && !isVisit && config.rateLimit === undefined
    },
    store: storeMaker(shared),
  })

  if (options.addRequestCounts === null) return
  let exchanging: Promise<void> | null = null
  const timer = setInterval(() => {
    // Run one exchange at a time, so that a slow database does not get further queries meanwhile.
    exchanging ??= counts
      .exchange()
      .catch((err) => app.log.warn({ err }, 'request counts not exchanged'))
      .finally(() => {
        exchanging = null
      })
  }, EXCHANGE_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    await exchanging
  })
}

const PUBLIC = '/api/public/'
const WRITES = ' public writes'

function isPublicWrite({ method, url }: RouteOptions): boolean {
  const methods = typeof method === 'string' ? [method] : method
  return url.startsWith(PUBLIC) && methods.some((one) => !['GET', 'HEAD', 'OPTIONS'].includes(one))
}

/**
 * Writes a client as one key, because the plugin supports one key per request; it appends the route's group to the key.
 */
function writeKey({ address, network }: Client): string {
  return `${address}|${network ?? ''}|`
}

function readKey(key: string): Requester {
  const [address = '', network = '', ...group] = key.split('|')
  return { client: { address, network: network === '' ? null : network }, group: group.join('|') }
}

function toAnswer({ count, endsInMs }: CountedRequest): { current: number; ttl: number } {
  return { current: count, ttl: endsInMs }
}

/** Wraps a store as a constructor: the plugin creates its store with `new`, which yields the returned object. */
function storeMaker(store: FastifyRateLimitStore): FastifyRateLimitStoreCtor {
  function Store() {
    return store
  }
  return Store as unknown as FastifyRateLimitStoreCtor
}

/** A client, and the group of operations that is counted separately. */
type Requester = { readonly client: Client; readonly group: string }

type ClientLimit = Pick<RequestLimit, 'max' | 'windowMs'>

type ClientCounts = {
  /**
   * Counts a request like `RequestCounts.countHere`. The returned `count` exceeds `max` when the client or its network
   * has made too many requests.
   */
  readonly countHere: (requester: Requester, limit: ClientLimit) => CountedRequest
  readonly countEverywhere: (requester: Requester, limit: ClientLimit) => Promise<CountedRequest>
  readonly exchange: () => Promise<void>
}

/**
 * Counts each request for its client, and for the client's network if the client is within its limit. So a client
 * beyond its limit uses no more of its network's limit, and a network beyond its limit adds no clients to memory.
 * Networks and clients have separate stores: 65,536 new clients cannot evict their networks. Source: rule X6.
 */
function buildClientCounts(options: { now: Clock; add: AddRequestCounts | null }): ClientCounts {
  const clients = buildRequestCounts(options)
  const networks = buildRequestCounts(options)

  return {
    countHere(requester, limit) {
      const ofNetwork = networkLimit(requester, limit)
      const usedUp = ofNetwork === null ? null : networks.findUsedUp(ofNetwork)
      if (usedUp !== null) return refused(usedUp, limit)
      const counted = clients.countHere(clientLimit(requester, limit))
      if (ofNetwork === null || counted.count > limit.max) return counted
      const together = networks.countHere(ofNetwork)
      return together.count > ofNetwork.max ? refused(together, limit) : counted
    },

    async countEverywhere(requester, limit) {
      const ofNetwork = networkLimit(requester, limit)
      const usedUp = ofNetwork === null ? null : networks.findUsedUp(ofNetwork)
      if (usedUp !== null) return refused(usedUp, limit)
      const counted = await clients.countEverywhere(clientLimit(requester, limit))
      if (ofNetwork === null || counted.count > limit.max) return counted
      const together = await networks.countEverywhere(ofNetwork)
      return together.count > ofNetwork.max ? refused(together, limit) : counted
    },

    async exchange() {
      await clients.exchange()
      await networks.exchange()
    },
  }
}

function clientLimit({ client, group }: Requester, limit: ClientLimit): RequestLimit {
  return { ...limit, key: client.address + group }
}

function networkLimit({ client, group }: Requester, { max, windowMs }: ClientLimit): RequestLimit | null {
  return client.network === null
    ? null
    : { key: client.network + group, max: max * NETWORK_LIMIT_FACTOR, windowMs }
}

function refused({ endsInMs }: CountedRequest, { max }: ClientLimit): CountedRequest {
  return { count: max + 1, endsInMs }
}
