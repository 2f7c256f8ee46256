import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, type Registry } from 'prom-client'

/**
 * Counts and times requests by route pattern, and serves metrics at `/metrics` (Prometheus text format). Without a
 * token they are served in development on loopback only; with a token, to clients that send it.
 */
export function registerMetrics(
  app: FastifyInstance,
  options: { registry: Registry; open: boolean; token: string | undefined },
): void {
  const { registry } = options
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  })
  // Cache of metrics by route and status: looking a metric up by its labels takes ten times as long as adding to it.
  const figures = new Map<string, Histogram.Internal<string>>()
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'none'
    const key = `${method} ${reply.statusCode} ${route}`
    const figure = figures.get(key) ?? durations.labels({ method, route, status: reply.statusCode })
    figures.set(key, figure)
    figure.observe(reply.elapsedTime / 1000)
  })
  app.get('/metrics', { schema: { hide: true }, logLevel: 'warn' }, async (request, reply) => {
    const authorized =
      options.token !== undefined && isSame(request.headers.authorization ?? '', `Bearer ${options.token}`)
    if (!options.open && !authorized) return reply.callNotFound()
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}

/** Compares two texts in constant time; their hashes have the same length. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}
