import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

const pack = promisify(gzip)

/** Sends a page, packed for browsers that can unpack it: to a phone it is on its way for a fifth of the time. */
export async function sendHtml(
  request: FastifyRequest,
  reply: FastifyReply,
  html: string,
): Promise<FastifyReply> {
  reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding')
  const unpacks = /\bgzip\b/.test(String(request.headers['accept-encoding']))
  if (!unpacks) return reply.send(html)
  const packed = await pack(html)
  return reply.header('content-encoding', 'gzip').send(packed)
}
