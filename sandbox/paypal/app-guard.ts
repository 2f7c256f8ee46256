import type { FastifyRequest } from 'fastify'
import { PaypalErrorResponse } from './fault.ts'
import { findTokenHolder } from './login.ts'
import type { PaypalSandboxContext } from './world.ts'

/**
 * Returns the id of the calling app.
 * @throws PaypalErrorResponse without an app's token
 */
export function getCallingClientId(world: PaypalSandboxContext, request: FastifyRequest): string {
  const holder = findTokenHolder(world, request.headers.authorization)
  if (holder === null || holder.payer !== null) throw new PaypalErrorResponse(401, 'AUTHENTICATION_FAILURE')
  return holder.clientId
}
