import type { FastifyRequest } from 'fastify'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Auth, AuthUser } from './auth.ts'

declare const ownerIdBrand: unique symbol

/**
 * The id of the signed-in owner. Only the session guard makes one, so that a query for owner data that forgot to
 * ask who is asking does not compile.
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

/** The same where nobody has to be signed in: null when nobody is. */
export async function findSignedIn(auth: Auth, request: FastifyRequest): Promise<SignedIn | null> {
  // Only `getSession` prolongs: the answers of data operations carry no cookie.
  const session = await auth.findSession(request.headers.cookie, false)
  if (session === null) return null
  // The one place where an owner id comes into being: the session was just checked.
  return { ownerId: session.user.id as OwnerId, user: session.user, sessionId: session.id }
}
