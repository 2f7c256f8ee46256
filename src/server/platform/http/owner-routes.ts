import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { idOf } from '#contract/primitives.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import type { Auth } from '#server/platform/auth/auth.ts'
import { requireOwner, type SignedIn } from '#server/platform/auth/owner-id.ts'

/** What every owner operation may refuse with. */
export const ownerRefusals = {
  400: problemSchema,
  401: problemSchema,
  403: problemSchema,
  404: problemSchema,
}

/** The security requirement that the OpenAPI document names for owner operations. */
export const ownerSecurity = [{ session: [] }]

/** A malformed id names nothing: it is refused like an unknown one. Source: rule X3. */
export const calendarParams = z.object({ id: idOf('calendar.not_found') })

export type SignedInGuard = (request: FastifyRequest) => Promise<SignedIn>

export function ownerGuard(auth: Auth): SignedInGuard {
  return (request) => requireOwner(auth, request)
}
