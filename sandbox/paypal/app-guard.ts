import type { FastifyRequest } from 'fastify'
import { PaypalFault } from './fault.ts'
import { findTokenHolder } from './login.ts'
import type { SandboxWorld } from './world.ts'

/**
 * Returns the id of the calling app.
 * @throws PaypalFault without an app's token
 */
export function getClientId(world: SandboxWorld, request: FastifyRequest): string {
  const holder = findTokenHolder(world, request.headers.authorization)
  if (holder === null || holder.payer !== null) throw new PaypalFault(401, 'AUTHENTICATION_FAILURE')
  return holder.clientId
}
