import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { SECOND_MS } from '#core/shared/duration.ts'
import { findSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import { accountKey, NO_FAULTS, type SandboxFaults } from './account.ts'
import type { SandboxCalendar } from './calendar.ts'
import { SandboxErrorResponse } from './sandbox-fault.ts'
import { accountsOf, type CalendarSandboxContext, findCalendar, type TokenHolder } from './world.ts'

/** Registers a sandbox's API. Applies the account's failures to each request, and sends errors in the provider's format. */
export function registerCalendarApi(
  app: FastifyInstance,
  world: CalendarSandboxContext,
  { prefix, register }: { readonly prefix: string; readonly register: (api: FastifyInstance) => void },
): void {
  app.register(
    async (api) => {
      api.setErrorHandler((error: FastifyError, _request, reply) => sendFault(world, error, reply))
      api.addHook('onRequest', async (request) => {
        const faults = await faultsOf(world, getTokenHolder(world, request).email)
        if (faults.delaySeconds > 0) {
          await sleep(faults.delaySeconds * SECOND_MS, undefined, { ref: false })
        }
        world.faults.failIfSwitchedOn(faults)
      })
      register(api)
    },
    { prefix },
  )
}

function sendFault(
  { faults }: Pick<CalendarSandboxContext, 'faults'>,
  error: FastifyError,
  reply: FastifyReply,
): FastifyReply {
  const fault = error instanceof SandboxErrorResponse ? error : faults.invalid(error.message)
  return reply.code(fault.status).headers(fault.headers).send(fault.body)
}

/** @throws SandboxErrorResponse when the token is unknown or expired */
export function getTokenHolder(
  { accessTokens, faults, now }: CalendarSandboxContext,
  { headers }: Pick<FastifyRequest, 'headers'>,
): TokenHolder {
  const holder = accessTokens.get(headers.authorization?.replace(/^Bearer /, '') ?? '')
  if (holder === undefined || holder.expiresAtMs <= now()) throw faults.badToken()
  return holder
}

/** Returns the failures that are switched on for an account. */
export async function faultsOf(
  { db, provider }: Pick<CalendarSandboxContext, 'db' | 'provider'>,
  email: string,
): Promise<SandboxFaults> {
  return (await findSandboxObject(db, accountsOf(provider), accountKey(email)))?.faults ?? NO_FAULTS
}

/** @throws SandboxErrorResponse when the account has no such calendar */
export async function getCalendar(
  world: CalendarSandboxContext,
  email: string,
  calendarId: string,
): Promise<SandboxCalendar> {
  const calendar = await findCalendar(world, world.db, calendarId)
  if (calendar?.email !== email) throw world.faults.notFound()
  return calendar
}
