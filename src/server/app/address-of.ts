import type { FastifyInstance } from 'fastify'

/** Returns a URL of this server, whose port may have been chosen by the system; null while it is not listening. */
export function addressOf(app: FastifyInstance | null, path: string): string | null {
  const address = app?.server.address()
  return typeof address === 'object' && address !== null ? `http://localhost:${address.port}${path}` : null
}
