import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { managedAppointmentOperations } from '#contract/operations/managed-appointments.ts'
import { clientOf } from '#server/platform/http/client-of.ts'
import { keepPrivate } from '#server/platform/http/keep-private.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { getManagedAppointment, type ManagedAppointmentsDeps } from './use-cases.ts'

/** The customer's own page of an appointment. There is no session: the signed link is the key. */
export function managedAppointmentRoutes(deps: ManagedAppointmentsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', keepPrivate)

    app.route({
      ...serve(managedAppointmentOperations.getManagedAppointment),
      handler: (request) =>
        getManagedAppointment(deps, { token: request.params.token, client: clientOf(request) }),
    })
  }
}
