import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, type Registry } from 'prom-client'

/**
 * Counts and times every request by route pattern and serves the figures at `/metrics` (Prometheus text format).
 * Without a token they are served on loopback development only; with one, to whoever presents it.
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
  // Finding the figure by its labels takes ten times as long as adding to it. There are as many as routes and statuses.
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

/** It takes the same time whatever is wrong, because the hashes have one length. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}
