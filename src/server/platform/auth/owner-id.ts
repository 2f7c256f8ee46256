import type { FastifyRequest } from 'fastify'
import { type Client, clientOfRequest } from '#server/platform/http/client-of-request.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Auth, AuthUser } from './auth.ts'

declare const ownerIdBrand: unique symbol

/**
 * The id of the logged-in owner. Only the session guard creates one, so a query for owner data without a session check
 * does not compile.
 */
export type OwnerId = string & { readonly [ownerIdBrand]: true }

export type SignedInOwner = {
  readonly ownerId: OwnerId
  readonly user: AuthUser
  /** Identifies the session of the request; it is not the session's secret token. */
  readonly sessionId: string
}

/**
 * Returns the logged-in owner.
 * @throws ProblemError `auth.required` when nobody is logged in
 */
async function requireOwner(auth: Auth, request: FastifyRequest): Promise<SignedInOwner> {
  const signedIn = await findSignedInOwner(auth, request)
  if (signedIn === null) throw new ProblemError('auth.required')
  return signedIn
}

/** Returns the logged-in owner, or null. For operations that need no login. */
export async function findSignedInOwner(auth: Auth, request: FastifyRequest): Promise<SignedInOwner | null> {
  // Do not extend the session here: only the operation `getSession` does; other responses set no cookie.
  const session = await auth.findSession(request.headers.cookie, false)
  if (session === null) return null
  // This is the only place that creates an owner id, because the session has just been checked.
  return { ownerId: session.user.id as OwnerId, user: session.user, sessionId: session.id }
}

export type OwnerGuard = (request: FastifyRequest) => Promise<SignedInOwner>

export function buildOwnerGuard(auth: Auth): OwnerGuard {
  return (request) => requireOwner(auth, request)
}

/** The sender of a request that needs no login. */
export type PublicCaller = {
  readonly client: Client
  /** The logged-in owner; null when nobody is logged in. */
  readonly ownerId: OwnerId | null
}

export type GetPublicCaller = (request: FastifyRequest) => Promise<PublicCaller>

export function buildGetPublicCaller(auth: Auth): GetPublicCaller {
  return async (request) => ({
    client: clientOfRequest(request),
    ownerId: (await findSignedInOwner(auth, request))?.ownerId ?? null,
  })
}
