import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { hasLoopbackHost, isProxied } from '#server/platform/http/this-machine.ts'
import { parseFormBody } from './form-body.ts'

export type SandboxServer = {
  /** The server's origin. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Maximum size of a request body, in bytes. Far above the size of any form or API request. */
const BODY_LIMIT = 64 * 1024

/** Starts a sandbox's server for pages and API on a free loopback port. */
export async function startSandboxServer(register: (app: FastifyInstance) => void): Promise<SandboxServer> {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: 200 },
    // Closes connections on stop, because some requests intentionally never get a response.
    forceCloseConnections: true,
  })
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, text: string | Buffer) => parseFormBody(text.toString()),
  )
  app.addHook('onRequest', async (request, reply) => {
    if (!hasLoopbackHost(request) || isProxied(request)) return reply.code(404).send()
    reply.headers({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    })
  })
  register(app)
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }), stop: () => app.close() }
}

/** The origin of the requested URL. The server accepts only host names of this machine. */
export function originOfRequest(request: Pick<FastifyRequest, 'headers'>): string {
  return `http://${request.headers.host}`
}
