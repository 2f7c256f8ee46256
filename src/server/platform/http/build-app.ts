import { randomUUID } from 'node:crypto'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import underPressure from '@fastify/under-pressure'
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { answerClientError } from './client-error.ts'
import { handleError } from './error-handler.ts'
import { takeJsonOnly } from './json-bodies.ts'
import { registerMetrics } from './metrics.ts'
import { ProblemError } from './problem-error.ts'
import { registerProblemPage } from './problem-page.ts'
import { registerPromptClose } from './prompt-close.ts'
import { type RateLimitOptions, registerRateLimits } from './rate-limits.ts'
import { toReadableAddress } from './readable-address.ts'
import { registerSecurity, type SecurityOptions } from './security.ts'

export type AppOptions = SecurityOptions &
  RateLimitOptions & {
    readonly log: FastifyBaseLogger
    /** How many proxies in front are trusted to name the client's address. */
    readonly trustProxy: number
    readonly metricsOpen: boolean
    readonly metricsToken: string | undefined
    /** How far behind the event loop may be before new requests are told to come back, in milliseconds; 0: never. */
    readonly overloadDelayMs: number
    /** Whether the database answers; for `/readyz`. */
    readonly isReady: () => Promise<boolean>
  }

/** No body of ours is near this; in bytes. */
const BODY_LIMIT = 64 * 1024
/** The whole head of a request is bounded by Node, to 16 kB; a part of its address is told by the route that it is unknown. */
const PARAMETER_LIMIT = 16 * 1024
/** A request that has not arrived whole by then is cut off; Fastify has no limit of its own. */
const REQUEST_TIMEOUT_MS = 30_000
const METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])

/** The HTTP server without a feature: security, problems, OpenAPI, health, metrics and request logs. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const app = fastify({
    loggerInstance: options.log,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomUUID(),
    trustProxy: (_address: string, hop: number) => hop < options.trustProxy,
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    routerOptions: { maxParamLength: PARAMETER_LIMIT },
    rewriteUrl: ({ url = '/' }) => toReadableAddress(url),
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
  refuseUnknownMethods(app)
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
        version: '1.0.0',
        description: 'Refusals are RFC 9457 problem details; `title` is the sentence to show.',
      },
      components: {
        securitySchemes: { session: { type: 'apiKey', in: 'cookie', name: 'meridian.session_token' } },
      },
    },
    transform: jsonSchemaTransform,
  })
  await app.register(swaggerUi, { routePrefix: '/api/docs', staticCSP: false })

  registerMetrics(app, { open: options.metricsOpen, token: options.metricsToken })
  registerHealth(app, options)
  registerProblemPage(app)
  registerPromptClose(app)
  return app
}

/** The route's pattern, not the address: an appointment's id is a key and does not belong into a log. */
function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime),
      },
      'request',
    )
  })
}

/** What Node reads but nothing here answers: `TRACE`, `PROPFIND` and the like. */
function refuseUnknownMethods(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ method }) => {
    if (!METHODS.has(method)) throw new ProblemError('request.method_unknown')
  })
}

/** An answer of the API holds for a moment, and often for one person: it says itself when it may be kept. */
function keepAnswersUnstored(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) {
      reply.header('cache-control', 'no-store')
    }
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
