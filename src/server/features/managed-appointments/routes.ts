import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { managedAppointmentOperations } from '#contract/operations/managed-appointments.ts'
import { clientOf } from '#server/platform/http/client-of.ts'
import { keepPrivate } from '#server/platform/http/keep-private.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
import { changeManagedDetails } from './change-details.ts'
import {
  beginCustomerSession,
  type CustomerSessionDeps,
  eraseOwnRecord,
  exportOwnRecord,
  listManagedAppointments,
  sendCustomerCode,
} from './session-use-cases.ts'
import { getManagedAppointment, getManagedCalendarFile } from './use-cases.ts'

/**
 * The customer's own page of an appointment. The signed link is the key. What is about more than this appointment needs a code of
 * an email besides, which the cookie of a short session stands for.
 */
export function managedAppointmentRoutes(deps: CustomerSessionDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.addHook('onRequest', keepPrivate)

    app.route({
      ...serve(managedAppointmentOperations.getManagedAppointment),
      handler: (request) => getManagedAppointment(deps, toOpened(request, request.params)),
    })

    app.route({
      ...serve(managedAppointmentOperations.changeManagedDetails),
      handler: (request) => changeManagedDetails(deps, toOpened(request, request.params), request.body),
    })

    app.route({
      ...serve(managedAppointmentOperations.getManagedCalendarFile),
      handler: async (request, reply) => {
        const file = await getManagedCalendarFile(deps, toOpened(request, request.params))
        reply.headers({
          'content-type': file.contentType,
          'content-disposition': `attachment; filename="${file.filename}"`,
        })
        return reply.send(file.content)
      },
    })

    app.route({
      ...serve(managedAppointmentOperations.sendCustomerCode),
      handler: async (request, reply) => {
        await sendCustomerCode(deps, toOpened(request, request.params))
        return reply.code(204).send()
      },
    })

    app.route({
      ...serve(managedAppointmentOperations.beginCustomerSession),
      handler: async (request, reply) => {
        const opened = toOpened(request, request.params)
        const cookie = await beginCustomerSession(deps, opened, request.body.code)
        return reply.header('set-cookie', cookie).code(204).send()
      },
    })

    app.route({
      ...serve(managedAppointmentOperations.endCustomerSession),
      handler: async (_request, reply) =>
        reply.header('set-cookie', deps.customerSessions.end()).code(204).send(),
    })

    app.route({
      ...serve(managedAppointmentOperations.listManagedAppointments),
      handler: (request) => listManagedAppointments(deps, toOpened(request, request.params)),
    })

    app.route({
      ...serve(managedAppointmentOperations.exportOwnRecord),
      handler: (request) => exportOwnRecord(deps, toOpened(request, request.params)),
    })

    app.route({
      ...serve(managedAppointmentOperations.eraseOwnRecord),
      handler: async (request, reply) => {
        const cookie = await eraseOwnRecord(deps, toOpened(request, request.params))
        return reply.header('set-cookie', cookie).code(204).send()
      },
    })
  }
}

type Params = { readonly token: string }

function toOpened(request: FastifyRequest, { token }: Params) {
  return { token, client: clientOf(request), cookie: request.headers.cookie }
}
