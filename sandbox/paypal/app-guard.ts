import type { FastifyRequest } from 'fastify'
import { PaypalFault } from './fault.ts'
import { holderOf } from './login.ts'
import type { SandboxWorld } from './world.ts'

/**
 * Which app asks.
 * @throws PaypalFault when it has no token of an app
 */
export function clientIdOf(world: SandboxWorld, request: FastifyRequest): string {
  const holder = holderOf(world, request.headers.authorization)
  if (holder === null || holder.payer !== null) throw new PaypalFault(401, 'AUTHENTICATION_FAILURE')
  return holder.clientId
}
