import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { locationOperations } from '#contract/availability/location-operations.ts'
import type { SignedInGuard } from '#server/platform/auth/owner-id.ts'
import { serve } from '#server/platform/http/serve-operation.ts'
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
  setPrimary,
} from './use-cases.ts'

/** Routes for an owner's locations, and for the locations of a calendar. */
export function locationRoutes(deps: LocationsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(ownLocationRoutes(deps, signedIn))
    await app.register(calendarLocationRoutes(deps, signedIn))
  }
}

function ownLocationRoutes(deps: LocationsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...serve(locationOperations.listLocations),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return { locations: await listOwnLocations(deps, ownerId) }
      },
    })

    app.route({
      ...serve(locationOperations.updateLocation),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return editLocation(deps, ownerId, request.params.location_id, request.body)
      },
    })

    app.route({
      ...serve(locationOperations.deleteLocation),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await deleteLocation(deps, ownerId, request.params.location_id)
        return reply.code(204).send()
      },
    })

    app.route({
      ...serve(locationOperations.getLocationUsage),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return { calendars: await getLocationUsage(deps, ownerId, request.params.location_id) }
      },
    })

    app.route({
      ...serve(locationOperations.replaceSharingCode),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return replaceSharingCode(deps, ownerId, request.params.location_id)
      },
    })

    app.route({
      ...serve(locationOperations.removeCalendarFromLocation),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { location_id: id, calendar_id: calendarId } = request.params
        await removeCalendarFromLocation(deps, ownerId, { id, calendarId })
        return reply.code(204).send()
      },
    })
  }
}

function calendarLocationRoutes(deps: LocationsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...serve(locationOperations.listCalendarLocations),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listLocationsOfCalendar(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...serve(locationOperations.addCalendarLocation),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        return reply.code(201).send(await addLocation(deps, ownerId, request.params.id, request.body))
      },
    })

    app.route({
      ...serve(locationOperations.setPrimaryLocation),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return setPrimary(deps, ownerId, toKey(request.params))
      },
    })

    app.route({
      ...serve(locationOperations.removeCalendarLocation),
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
