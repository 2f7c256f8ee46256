import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import underPressure from '@fastify/under-pressure'
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Registry } from 'prom-client'
import packageJson from '../../../../package.json' with { type: 'json' }
import { handleError } from './error-handler.ts'
import { isApiRequest } from './is-api-request.ts'
import {
  acceptJsonOnly,
  readRequestTarget,
  refuseMalformedRequests,
  respondToClientError,
} from './malformed-requests.ts'
import { registerMetrics } from './metrics.ts'
import { OPENAPI_OPTIONS } from './openapi-document.ts'
import { registerProblemPage } from './problem-page.ts'
import { type RateLimitOptions, registerRateLimits } from './rate-limits.ts'
import { type RequestHostOptions, refuseRequestsToOtherHosts, resolveRequestHosts } from './request-hosts.ts'
import { logInterruptedResponses, logRequests } from './request-log.ts'
import { addSecurityHeaders, refuseCrossSiteRequests, type SecurityOptions, sendHsts } from './security.ts'

export type AppOptions = SecurityOptions &
  RateLimitOptions & {
    readonly log: FastifyBaseLogger
    /**
     * Number of trusted proxies in front of the product, whose headers state the client's address and the requested
     * host.
     */
    readonly trustProxy: number
    /** The hosts of calendars. If absent, every host counts as the installation's own. */
    readonly hosts?: RequestHostOptions
    /**
     * The registry of the metrics that are served at `/metrics`; other parts of the product register their own metrics.
     */
    readonly metrics: Registry
    readonly metricsOpen: boolean
    readonly metricsToken: string | undefined
    /** Event loop delay in milliseconds beyond which new requests are refused; 0 disables the check. */
    readonly overloadDelayMs: number
    /** Returns true when the database responds; for `/readyz`. */
    readonly isReady: () => Promise<boolean>
    /** Time limit for receiving a complete request, in milliseconds; 30 s except in tests. */
    readonly requestTimeoutMs?: number
  }

/** Maximum size of a request body, in bytes; far above any body that the API accepts. */
const BODY_LIMIT = 64 * 1024
/**
 * Maximum length of a path parameter. Node limits the request head to 16 kB, so every parameter reaches its route,
 * which responds with "not found" to one that is too long.
 */
const PARAMETER_LIMIT = 16 * 1024
/**
 * Time limit for receiving a request, in milliseconds. Without it, Fastify sets none, and Node allows a minute for the
 * headers.
 */
const REQUEST_TIMEOUT_MS = 30_000
/** Number of times that Node checks for slow requests within one timeout. By default, Node checks every 30 seconds. */
const CHECKS_PER_TIMEOUT = 30

/**
 * Builds the HTTP server without any features: security headers, error responses, OpenAPI, health checks, metrics and
 * request logs.
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const requestTimeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
  const app = fastify({
    loggerInstance: options.log,
    logController: logInterruptedResponses(),
    genReqId: () => randomUUID(),
    trustProxy: (_address: string, hop: number) => hop < options.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: requestTimeoutMs,
    http: {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(requestTimeoutMs / CHECKS_PER_TIMEOUT),
      // Turned off, because Node's own refusal has no body; `refuseMalformedRequests` sends a problem response.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: PARAMETER_LIMIT },
    rewriteUrl: readRequestTarget,
    clientErrorHandler: respondToClientError,
    // On shutdown, let requests finish and close idle keep-alive connections at once.
    forceCloseConnections: 'idle',
    // Keep answering requests on open connections during shutdown.
    return503OnClosing: false,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  acceptJsonOnly(app)

  // Registered first, so that requests refused by later hooks are logged too.
  logRequests(app)
  keepAnswersUnstored(app)
  addSecurityHeaders(app, options)
  resolveRequestHosts(app, options.hosts)
  sendHsts(app, options)
  refuseCrossSiteRequests(app, options)
  refuseMalformedRequests(app)
  refuseRequestsToOtherHosts(app, options.hosts)
  await app.register(underPressure, {
    maxEventLoopDelay: options.overloadDelayMs,
    retryAfter: 2,
  })
  await registerRateLimits(app, options)
  await app.register(swagger, OPENAPI_OPTIONS)
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: false })

  registerMetrics(app, { registry: options.metrics, open: options.metricsOpen, token: options.metricsToken })
  registerHealth(app, options)
  registerProblemPage(app)
  registerPromptClose(app)
  return app
}

/**
 * Forbids caches to store API responses, unless the operation sets its own cache-control: they are outdated after a
 * moment, and often meant for one person.
 */
function keepAnswersUnstored(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (isApiRequest(request) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}

function registerHealth(app: FastifyInstance, options: Pick<AppOptions, 'isReady'>): void {
  const quiet = { schema: { hide: true }, logLevel: 'warn' } as const
  app.get('/healthz', quiet, async () => ({ status: 'ok', version: packageJson.version }))
  app.get('/readyz', quiet, async (_request, reply) =>
    (await options.isReady()) ? { status: 'ready' } : reply.code(503).send({ status: 'not ready' }),
  )
  app.get('/api/openapi.json', quiet, async () => app.swagger())
}

/** How long running requests may take to finish on shutdown, in milliseconds. */
const FINISH_MS = 3_000

/**
 * Keeps shutdown from waiting for clients: closes connections without a request at once (browsers open some in
 * advance), and cuts unfinished requests after a while. Node alone would wait for minutes.
 */
function registerPromptClose(app: FastifyInstance): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  app.addHook('preClose', async () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    setTimeout(() => app.server.closeAllConnections(), FINISH_MS).unref()
  })
}
