import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Headers for pages and operations whose URL is a secret (an appointment's id): not cached, not indexed, not sent as
 * referrer. Source: rule B18.
 */
export async function sendPrivateHeaders(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers({
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  })
}
