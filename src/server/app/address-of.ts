import type { FastifyInstance } from 'fastify'

/** Where this process itself listens; its port may be any free one. Null while it does not listen. */
export function addressOf(app: FastifyInstance | null, path: string): string | null {
  const address = app?.server.address()
  return typeof address === 'object' && address !== null ? `http://localhost:${address.port}${path}` : null
}
