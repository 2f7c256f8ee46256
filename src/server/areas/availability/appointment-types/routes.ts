import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { appointmentTypeOperations } from '#contract/availability/appointment-type-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import {
  type AppointmentTypesDeps,
  createType,
  deleteType,
  getTypeUsage,
  listOwnTypes,
  listPublicTypes,
  orderTypes,
  previewType,
  updateType,
} from './use-cases.ts'

/** Maximum number of previews per client: a form asks at most five times a second while somebody types. */
const PREVIEW_LIMIT = { max: 120, timeWindow: '1 minute' }

/** Routes for the appointment types of a calendar: the public list, and the owner's changes. Source: rule C12. */
export function appointmentTypeRoutes(
  deps: AppointmentTypesDeps,
  signedIn: OwnerGuard,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(appointmentTypeOperations.getPublicAppointmentTypes),
      handler: async ({ params, query }) => ({
        appointment_types: await listPublicTypes(deps, params.slug, query.type ?? null),
      }),
    })

    app.route({
      ...toRoute(appointmentTypeOperations.listAppointmentTypes),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listOwnTypes(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(appointmentTypeOperations.createAppointmentType),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const type = await createType(deps, ownerId, request.params.id, request.body)
        return reply.code(201).send(type)
      },
    })

    app.route({
      ...toRoute(appointmentTypeOperations.previewAppointmentType),
      config: { rateLimit: PREVIEW_LIMIT },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return previewType(deps, ownerId, request.params.id, request.body)
      },
    })

    app.route({
      ...toRoute(appointmentTypeOperations.orderAppointmentTypes),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await orderTypes(deps, ownerId, request.params.id, request.body.appointment_type_ids)
        return reply.code(204).send()
      },
    })

    app.route({
      ...toRoute(appointmentTypeOperations.updateAppointmentType),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return updateType(deps, ownerId, toKey(request.params), request.body)
      },
    })

    app.route({
      ...toRoute(appointmentTypeOperations.getAppointmentTypeUsage),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getTypeUsage(deps, ownerId, toKey(request.params))
      },
    })

    app.route({
      ...toRoute(appointmentTypeOperations.deleteAppointmentType),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await deleteType(deps, ownerId, toKey(request.params))
        return reply.code(204).send()
      },
    })
  }
}

function toKey(params: { id: string; type_id: string }): { calendarId: string; id: string } {
  return { calendarId: params.id, id: params.type_id }
}
