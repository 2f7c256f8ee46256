import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientOfRequest } from '#server/platform/http/client-of-request.ts'
import type { AuthCall } from './auth.ts'

/** The data that identify the sender of a request, for accounts and sessions. */
export type Caller = Pick<AuthCall, 'cookie' | 'origin' | 'userAgent' | 'client'>

export function toCaller(request: FastifyRequest): Caller {
  return {
    cookie: request.headers.cookie,
    origin: request.headers.origin,
    userAgent: request.headers['user-agent'],
    client: clientOfRequest(request),
  }
}

/** Copies better-auth's cookies to the response. */
export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', [...cookies])
}
