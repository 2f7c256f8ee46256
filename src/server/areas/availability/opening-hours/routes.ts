import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { openingHoursOperations } from '#contract/availability/opening-hours-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import {
  type AvailabilityDeps,
  addOpeningRange,
  changeOpeningRange,
  changeSlotSettings,
  copyOpeningRangesOfDay,
  getAvailability,
  previewOfferedTimes,
  removeOpeningRange,
  replaceOpeningRangesOfDays,
} from './use-cases.ts'

/** Routes for the weekly schedule, the slot settings, and a preview of the resulting times. */
export function availabilityRoutes(deps: AvailabilityDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(openingHoursOperations.getAvailability),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getAvailability(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(openingHoursOperations.addAvailability),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        return reply.code(201).send(await addOpeningRange(deps, ownerId, request.params.id, request.body))
      },
    })

    app.route({
      ...toRoute(openingHoursOperations.copyAvailability),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return copyOpeningRangesOfDay(deps, ownerId, request.params.id, request.body)
      },
    })

    app.route({
      ...toRoute(openingHoursOperations.replaceAvailability),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return replaceOpeningRangesOfDays(deps, ownerId, request.params.id, request.body)
      },
    })

    app.route({
      ...toRoute(openingHoursOperations.changeAvailability),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, availability_id: id } = request.params
        return changeOpeningRange(deps, ownerId, { calendarId, id }, request.body)
      },
    })

    app.route({
      ...toRoute(openingHoursOperations.removeAvailability),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, availability_id: id } = request.params
        await removeOpeningRange(deps, ownerId, { calendarId, id }, request.query)
        return reply.code(204).send()
      },
    })

    app.route({
      ...toRoute(openingHoursOperations.updateSlotSettings),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeSlotSettings(deps, ownerId, request.params.id, request.body)
      },
    })

    app.route({
      ...toRoute(openingHoursOperations.previewAvailability),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { from, appointment_type_id: appointmentTypeId } = request.query
        return previewOfferedTimes(deps, ownerId, request.params.id, { from, appointmentTypeId })
      },
    })
  }
}
