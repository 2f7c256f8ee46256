import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * For pages and operations whose address is itself a key (an appointment's id): nothing stores them, lists them in a
 * search engine, or passes their address on. Source: rule B18.
 */
export async function sendPrivateHeaders(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
}
