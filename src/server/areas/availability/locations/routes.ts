import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { locationOperations } from '#contract/availability/location-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import {
  deleteLocation,
  editLocation,
  getLocationUsage,
  removeCalendarFromLocation,
  replaceSharingCode,
} from './own-location-use-cases.ts'
import {
  addLocation,
  type LocationsDeps,
  listLocationsOfCalendar,
  listOwnLocations,
  removeLocation,
  setPrimaryLocation,
} from './use-cases.ts'

/** Routes for an owner's locations, and for the locations of a calendar. */
export function locationRoutes(deps: LocationsDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(ownLocationRoutes(deps, signedIn))
    await app.register(calendarLocationRoutes(deps, signedIn))
  }
}

function ownLocationRoutes(deps: LocationsDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(locationOperations.listLocations),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return { locations: await listOwnLocations(deps, ownerId) }
      },
    })

    app.route({
      ...toRoute(locationOperations.updateLocation),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return editLocation(deps, ownerId, request.params.location_id, request.body)
      },
    })

    app.route({
      ...toRoute(locationOperations.deleteLocation),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await deleteLocation(deps, ownerId, request.params.location_id)
        return reply.code(204).send()
      },
    })

    app.route({
      ...toRoute(locationOperations.getLocationUsage),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return { calendars: await getLocationUsage(deps, ownerId, request.params.location_id) }
      },
    })

    app.route({
      ...toRoute(locationOperations.replaceSharingCode),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return replaceSharingCode(deps, ownerId, request.params.location_id)
      },
    })

    app.route({
      ...toRoute(locationOperations.removeCalendarFromLocation),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { location_id: id, calendar_id: calendarId } = request.params
        await removeCalendarFromLocation(deps, ownerId, { id, calendarId })
        return reply.code(204).send()
      },
    })
  }
}

function calendarLocationRoutes(deps: LocationsDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(locationOperations.listCalendarLocations),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listLocationsOfCalendar(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(locationOperations.addCalendarLocation),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        return reply.code(201).send(await addLocation(deps, ownerId, request.params.id, request.body))
      },
    })

    app.route({
      ...toRoute(locationOperations.setPrimaryLocation),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return setPrimaryLocation(deps, ownerId, toKey(request.params))
      },
    })

    app.route({
      ...toRoute(locationOperations.removeCalendarLocation),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await removeLocation(deps, ownerId, toKey(request.params))
        return reply.code(204).send()
      },
    })
  }
}

function toKey(params: { id: string; calendar_location_id: string }): { calendarId: string; id: string } {
  return { calendarId: params.id, id: params.calendar_location_id }
}
