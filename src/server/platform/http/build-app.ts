import { randomUUID } from 'node:crypto'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import underPressure from '@fastify/under-pressure'
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Registry } from 'prom-client'
import { answerClientError } from './client-error.ts'
import { handleError } from './error-handler.ts'
import { isApiRequest } from './is-api-request.ts'
import { acceptJsonOnly } from './json-bodies.ts'
import { registerMetrics } from './metrics.ts'
import { OPENAPI_OPTIONS } from './openapi-document.ts'
import { registerProblemPage } from './problem-page.ts'
import { registerPromptClose } from './prompt-close.ts'
import { type RateLimitOptions, registerRateLimits } from './rate-limits.ts'
import { refuseMalformed } from './refuse-malformed.ts'
import { findRequestHosts, type RequestHostOptions, refuseOnOtherHosts } from './request-hosts.ts'
import { logInterruptedAnswers, logRequests } from './request-log.ts'
import { readTarget } from './request-target.ts'
import { addSecurityHeaders, refuseCrossSiteRequests, type SecurityOptions, sendHsts } from './security.ts'

export type AppOptions = SecurityOptions &
  RateLimitOptions & {
    readonly log: FastifyBaseLogger
    /** How many proxies in front are trusted to name the client's address and the host that it asked. */
    readonly trustProxy: number
    /** Absent: every host is the product's own. */
    readonly hosts?: RequestHostOptions
    /** The figures at `/metrics`; other parts of the product add their own. */
    readonly metrics: Registry
    readonly metricsOpen: boolean
    readonly metricsToken: string | undefined
    /** How late the event loop may be before new requests are told to come back, in milliseconds; 0: never. */
    readonly overloadDelayMs: number
    /** Whether the database answers; for `/readyz`. */
    readonly isReady: () => Promise<boolean>
    /** A request that has not completely arrived by then is cut off, in milliseconds; 30 s unless a test waits less. */
    readonly requestTimeoutMs?: number
  }

/** No body of ours is near this; in bytes. */
const BODY_LIMIT = 64 * 1024
/** Node limits the whole head of a request to 16 kB. The route refuses a long part of its address as unknown. */
const PARAMETER_LIMIT = 16 * 1024
/** Fastify has no limit of its own, and Node allows a minute for the head. */
const REQUEST_TIMEOUT_MS = 30_000
/** How often Node checks for slow requests, as a share of that limit; by default it checks twice a minute. */
const CHECKS_PER_TIMEOUT = 30

/** The HTTP server without any feature: security, problems, OpenAPI, health, metrics and request logs. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const requestTimeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
  const app = fastify({
    loggerInstance: options.log,
    logController: logInterruptedAnswers(),
    genReqId: () => randomUUID(),
    trustProxy: (_address: string, hop: number) => hop < options.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: requestTimeoutMs,
    http: {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.ceil(requestTimeoutMs / CHECKS_PER_TIMEOUT),
      // Node's own refusal is empty; `refuseMalformed` gives a problem.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: PARAMETER_LIMIT },
    rewriteUrl: readTarget,
    clientErrorHandler: answerClientError,
    // A stop lets requests finish and closes idle keep-alive connections at once.
    forceCloseConnections: 'idle',
    // A request that arrives on an open connection is answered like everything before it.
    return503OnClosing: false,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  acceptJsonOnly(app)

  // First, so that the log also has what a later hook refuses.
  logRequests(app)
  keepAnswersUnstored(app)
  addSecurityHeaders(app, options)
  findRequestHosts(app, options.hosts)
  sendHsts(app, options)
  refuseCrossSiteRequests(app, options)
  refuseMalformed(app)
  refuseOnOtherHosts(app, options.hosts)
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
 * An answer of the API is true for a moment, and often for one person. An operation whose answer may be cached says so.
 */
function keepAnswersUnstored(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (isApiRequest(request) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
}

function registerHealth(app: FastifyInstance, options: Pick<AppOptions, 'isReady'>): void {
  const quiet = { schema: { hide: true }, logLevel: 'warn' } as const
  app.get('/healthz', quiet, async () => ({ status: 'ok' }))
  app.get('/readyz', quiet, async (_request, reply) =>
    (await options.isReady()) ? { status: 'ready' } : reply.code(503).send({ status: 'not ready' }),
  )
  app.get('/api/openapi.json', quiet, async () => app.swagger())
}
