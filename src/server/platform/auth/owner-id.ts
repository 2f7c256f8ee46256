import type { FastifyRequest } from 'fastify'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Auth, AuthUser } from './auth.ts'

declare const ownerIdBrand: unique symbol

/**
 * The id of the logged-in owner. Only the session guard makes one, so a query for owner data without a check of the
 * session does not compile.
 */
export type OwnerId = string & { readonly [ownerIdBrand]: true }

export type SignedIn = {
  readonly ownerId: OwnerId
  readonly user: AuthUser
  /** Names the session that asks; it is not its token. */
  readonly sessionId: string
}

/**
 * Who is signed in.
 * @throws ProblemError `auth.required` when nobody is
 */
export async function requireOwner(auth: Auth, request: FastifyRequest): Promise<SignedIn> {
  const signedIn = await findSignedIn(auth, request)
  if (signedIn === null) throw new ProblemError('auth.required')
  return signedIn
}

/** The logged-in owner where a login is optional: null when nobody is logged in. */
export async function findSignedIn(auth: Auth, request: FastifyRequest): Promise<SignedIn | null> {
  // Only `getSession` prolongs: the answers of other operations carry no cookie.
  const session = await auth.findSession(request.headers.cookie, false)
  if (session === null) return null
  // The only place that makes an owner id: the session was just checked.
  return { ownerId: session.user.id as OwnerId, user: session.user, sessionId: session.id }
}
