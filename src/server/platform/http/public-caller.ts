import type { FastifyRequest } from 'fastify'
import type { Auth } from '#server/platform/auth/auth.ts'
import { findSignedIn, type OwnerId } from '#server/platform/auth/owner-id.ts'
import { type Client, clientOf } from './client-of.ts'

/** The sender of a request that needs no login. */
export type PublicCaller = {
  readonly client: Client
  /** Null when nobody is logged in. */
  readonly ownerId: OwnerId | null
}

export type PublicCallerOf = (request: FastifyRequest) => Promise<PublicCaller>

export function publicCallers(auth: Auth): PublicCallerOf {
  return async (request) => ({
    client: clientOf(request),
    ownerId: (await findSignedIn(auth, request))?.ownerId ?? null,
  })
}
