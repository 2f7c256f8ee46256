import type { FastifyRequest } from 'fastify'

/** Where the stand-in was asked; its server lets only names of this machine through. */
export function originOf(request: FastifyRequest): string {
  return `http://${request.headers.host}`
}
