import type { FastifyInstance } from 'fastify'
import { Registry } from 'prom-client'
import { type AppOptions, buildApp } from '#server/platform/http/build-app.ts'
import { sendProblem } from '#server/platform/http/error-handler.ts'
import { buildLog } from '#server/platform/log.ts'

export type BareAppOptions = Partial<AppOptions> & {
  /** Receives every line logged at level `info` or above. */
  readonly logLines?: string[]
  /** Adds the test's own routes. */
  readonly extend?: (app: FastifyInstance) => void
}

/** Makes the HTTP server without features, at an https address, with a few routes for tests. */
export async function makeBareApp({
  logLines = [],
  extend,
  ...options
}: BareAppOptions = {}): Promise<FastifyInstance> {
  const app = await buildApp({
    log: buildLog('info', { write: (line) => logLines.push(line) }),
    baseUrl: 'https://book.example',
    allowInline: false,
    loopbackOnly: false,
    trustProxy: 0,
    publicRequestsPerMinute: 1_000,
    now: () => 0,
    addRequestCounts: null,
    metrics: new Registry(),
    metricsOpen: false,
    metricsToken: undefined,
    overloadDelayMs: 0,
    isReady: async () => true,
    ...options,
  })
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, 'request.not_found'))
  app.get('/page', async (_request, reply) => reply.type('text/html').send('<!doctype html>'))
  app.get('/api/thing', async () => ({ ok: true }))
  app.get('/api/public/things/:id', async () => ({ ok: true }))
  app.post('/api/public/things', async () => ({ ok: true }))
  extend?.(app)
  await app.ready()
  return app
}
