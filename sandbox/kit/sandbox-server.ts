import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { hasLoopbackHost, isProxied } from '#server/platform/http/this-machine.ts'
import { parseFormBody } from './form-body.ts'

export type SandboxServer = {
  /** Origin of the server. */
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Far above the size of any form or API request, in bytes. */
const BODY_LIMIT = 64 * 1024

/** Starts a stand-in's server on a free loopback port, for its pages and its API. */
export async function startSandboxServer(register: (app: FastifyInstance) => void): Promise<SandboxServer> {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    routerOptions: { maxParamLength: 200 },
    // Some requests intentionally get no response.
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

/** The origin under which the stand-in was called; its server accepts only names of this machine. */
export function originOf(request: Pick<FastifyRequest, 'headers'>): string {
  return `http://${request.headers.host}`
}
