import { randomUUID } from 'node:crypto'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import underPressure from '@fastify/under-pressure'
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Registry } from 'prom-client'
import packageJson from '../../../../package.json' with { type: 'json' }
import { answerClientError } from './client-error.ts'
import { handleError } from './error-handler.ts'
import { isOfApi } from './is-of-api.ts'
import { takeJsonOnly } from './json-bodies.ts'
import { registerMetrics } from './metrics.ts'
import { registerProblemPage } from './problem-page.ts'
import { registerPromptClose } from './prompt-close.ts'
import { type RateLimitOptions, registerRateLimits } from './rate-limits.ts'
import { refuseMalformed } from './refuse-malformed.ts'
import { logBrokenAnswers, logRequests } from './request-log.ts'
import { readTarget } from './request-target.ts'
import { registerSecurity, type SecurityOptions } from './security.ts'

export type AppOptions = SecurityOptions &
  RateLimitOptions & {
    readonly log: FastifyBaseLogger
    /** How many proxies in front are trusted to name the client's address. */
    readonly trustProxy: number
    /** What is shown at `/metrics`; other parts of the product add their own figures to it. */
    readonly metrics: Registry
    readonly metricsOpen: boolean
    readonly metricsToken: string | undefined
    /** How far behind the event loop may be before new requests are told to come back, in milliseconds; 0: never. */
    readonly overloadDelayMs: number
    /** Whether the database answers; for `/readyz`. */
    readonly isReady: () => Promise<boolean>
    /** A request that has not arrived whole by then is cut off, in milliseconds; 30 s unless a test waits less. */
    readonly requestTimeoutMs?: number
  }

/** No body of ours is near this; in bytes. */
const BODY_LIMIT = 64 * 1024
/** The whole head of a request is bounded by Node, to 16 kB; a part of its address is told by the route that it is unknown. */
const PARAMETER_LIMIT = 16 * 1024
/** Fastify has no limit of its own, and Node allows a head to take a minute. */
const REQUEST_TIMEOUT_MS = 30_000
/** How often Node looks for requests that take too long, as a share of that; by itself it looks twice a minute. */
const CHECKS_PER_TIMEOUT = 30

/** The HTTP server without a feature: security, problems, OpenAPI, health, metrics and request logs. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const requestTimeoutMs = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS
  const app = fastify({
    loggerInstance: options.log,
    logController: logBrokenAnswers(),
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
    // A stop lets requests finish; idle keep-alive connections are closed at once.
    forceCloseConnections: 'idle',
    // What arrives on a connection that is still open is answered like everything before it.
    return503OnClosing: false,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(handleError)
  takeJsonOnly(app)

  // First, so that what is refused by a later hook is found in the log as well.
  logRequests(app)
  keepAnswersUnstored(app)
  registerSecurity(app, options)
  refuseMalformed(app)
  await app.register(underPressure, {
    maxEventLoopDelay: options.overloadDelayMs,
    retryAfter: 2,
  })
  await registerRateLimits(app, options)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Meridian API',
        version: packageJson.version,
        description: 'Refusals are RFC 9457 problem details; `title` is the sentence to show.',
      },
      components: {
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'meridian.session_token' } },
      },
    },
    transform: jsonSchemaTransform,
  })
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: false })

  registerMetrics(app, { registry: options.metrics, open: options.metricsOpen, token: options.metricsToken })
  registerHealth(app, options)
  registerProblemPage(app)
  registerPromptClose(app)
  return app
}

/** An answer of the API holds for a moment, and often for one person: it says itself when it may be kept. */
function keepAnswersUnstored(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (isOfApi(request) && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
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
