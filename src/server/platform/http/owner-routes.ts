import type { FastifyRequest } from 'fastify'
import type { Auth } from '#server/platform/auth/auth.ts'
import { requireOwner, type SignedIn } from '#server/platform/auth/owner-id.ts'

export type SignedInGuard = (request: FastifyRequest) => Promise<SignedIn>

export function ownerGuard(auth: Auth): SignedInGuard {
  return (request) => requireOwner(auth, request)
}
