import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Clock } from '#server/platform/clock.ts'
import { buildClientCounts, type Requester } from './client-counts.ts'
import { type Client, clientOf } from './client-of.ts'
import type { AddRequestCounts } from './request-count.ts'
import type { Counted } from './request-counts.ts'
import { isOnOwnHost } from './request-hosts.ts'

export type RateLimitOptions = {
  /** Of one client (see `clientOf`), for everything under `/api/public/` and every `COUNT_AS_PUBLIC_READ` together. */
  readonly publicRequestsPerMinute: number
  readonly now: Clock
  /** Null when no other process serves this database. */
  readonly addRequestCounts: AddRequestCounts | null
}

declare module 'fastify' {
  // biome-ignore lint/style/useConsistentTypeDefinitions: only an interface can be added to
  interface FastifyContextConfig {
    /** Visitors ask the database by this route, so it counts for their limit. */
    readonly isVisit?: boolean
  }
}

/** The `config` of a route outside `/api/public/` by which anybody asks the database: it counts like a public read. Source: rule X6. */
export const COUNT_AS_PUBLIC_READ = { isVisit: true } as const

/** How long other processes may not know what was read here, in milliseconds. */
const EXCHANGE_MS = 1_000

/**
 * Limits how often a client may ask (`docs/decisions/0014`). Public reads are counted in this process and exchanged
 * with the others once a second. Public writes, and every route with a limit in its `config`, are counted with all
 * processes at once. Owners are behind a session, and most account operations have a throttle of their own.
 * Source: rule X6.
 */
export async function registerRateLimits(app: FastifyInstance, options: RateLimitOptions): Promise<void> {
  const counts = buildClientCounts({ now: options.now, add: options.addRequestCounts })
  // Routes with a limit of their own are its children.
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
    // The group is a part of the key: each route with a limit of its own has a count of its own.
    route.config = { ...route.config, rateLimit: { groupId: ` ${route.url}`, ...limit } }
  })
  await app.register(rateLimit, {
    max: options.publicRequestsPerMinute,
    timeWindow: '1 minute',
    keyGenerator: (request) => writeKey(clientOf(request)),
    // By the route, as an address can be written in many ways.
    allowList: (request: FastifyRequest) => {
      const { url = '', config } = request.routeOptions
      // At its root the installation has a page that asks nothing.
      const isVisit = config.isVisit === true || (url === '/' && !isOnOwnHost(request))
      return !url.startsWith(PUBLIC) && !isVisit && config.rateLimit === undefined
    },
    store: storeMaker(shared),
  })

  if (options.addRequestCounts === null) return
  let exchanging: Promise<void> | null = null
  const timer = setInterval(() => {
    // One at a time: a slow database is not asked again meanwhile.
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

/** The plugin has one key for each request, and appends the group of the route to it. */
function writeKey({ address, network }: Client): string {
  return `${address}|${network ?? ''}|`
}

function readKey(key: string): Requester {
  const [address = '', network = '', ...group] = key.split('|')
  return { client: { address, network: network === '' ? null : network }, group: group.join('|') }
}

function toAnswer({ count, endsInMs }: Counted): { current: number; ttl: number } {
  return { current: count, ttl: endsInMs }
}

/** The plugin makes its store by `new`, which gives what the function returns. */
function storeMaker(store: FastifyRateLimitStore): FastifyRateLimitStoreCtor {
  function Store() {
    return store
  }
  return Store as unknown as FastifyRateLimitStoreCtor
}
