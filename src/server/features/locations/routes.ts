import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  addLocationBody,
  calendarLocationSchema,
  calendarLocationsResponse,
  locationChanges,
  locationSchema,
  locationsResponse,
  locationUsageResponse,
} from '#contract/locations.ts'
import { idOf } from '#contract/primitives.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import {
  calendarParams,
  ownerRefusals,
  ownerSecurity,
  type SignedInGuard,
} from '#server/platform/http/owner-routes.ts'
import { deleteLocation, editLocation, getLocationUsage, removeCalendarFromLocation } from './own-places.ts'
import {
  addLocation,
  type LocationsDeps,
  listLocationsOfCalendar,
  listOwnLocations,
  removeLocation,
  setPrimary,
} from './use-cases.ts'

const shared = { tags: ['Locations'], security: ownerSecurity }
const locationParams = z.object({ location_id: idOf('location.not_found') })
const locationCalendarParams = locationParams.extend({ calendar_id: idOf('location.not_found') })
const calendarLocationParams = calendarParams.extend({ calendar_location_id: idOf('location.not_found') })

/** The locations of an owner, and which of them a calendar has. */
export function locationRoutes(deps: LocationsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    await app.register(ownLocationRoutes(deps, signedIn))
    await app.register(calendarLocationRoutes(deps, signedIn))
  }
}

function ownLocationRoutes(deps: LocationsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/locations', {
      schema: {
        ...shared,
        operationId: 'listLocations',
        summary: 'My locations, by name',
        response: { 200: locationsResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return { locations: await listOwnLocations(deps, ownerId) }
      },
    })

    app.patch('/api/locations/:location_id', {
      schema: {
        ...shared,
        operationId: 'updateLocation',
        summary: 'Change a location; appointments keep the name and address they were booked with',
        params: locationParams,
        body: locationChanges,
        response: { 200: locationSchema, ...ownerRefusals, 409: problemSchema },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return editLocation(deps, ownerId, request.params.location_id, request.body)
      },
    })

    app.delete('/api/locations/:location_id', {
      schema: {
        ...shared,
        operationId: 'deleteLocation',
        summary: 'Delete a location for good; its appointments stay',
        params: locationParams,
        response: { 204: z.undefined(), ...ownerRefusals },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await deleteLocation(deps, ownerId, request.params.location_id)
        return reply.code(204).send()
      },
    })

    app.get('/api/locations/:location_id/usage', {
      schema: {
        ...shared,
        operationId: 'getLocationUsage',
        summary: 'Which calendars use a location, with how many types and future appointments',
        params: locationParams,
        response: { 200: locationUsageResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return { calendars: await getLocationUsage(deps, ownerId, request.params.location_id) }
      },
    })

    app.delete('/api/locations/:location_id/calendars/:calendar_id', {
      schema: {
        ...shared,
        operationId: 'removeCalendarFromLocation',
        summary: 'Take my location from a calendar, also from one of another owner',
        params: locationCalendarParams,
        response: { 204: z.undefined(), ...ownerRefusals },
      },
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
    app.get('/api/calendars/:id/locations', {
      schema: {
        ...shared,
        operationId: 'listCalendarLocations',
        summary: 'The locations of my calendar, the primary one first, then by name',
        params: calendarParams,
        response: { 200: calendarLocationsResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return { calendar_locations: await listLocationsOfCalendar(deps, ownerId, request.params.id) }
      },
    })

    app.post('/api/calendars/:id/locations', {
      schema: {
        ...shared,
        operationId: 'addCalendarLocation',
        summary: 'Give my calendar a location: one of mine, one that is shared, or a new one',
        params: calendarParams,
        body: addLocationBody,
        response: { 201: calendarLocationSchema, ...ownerRefusals, 409: problemSchema },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        return reply.code(201).send(await addLocation(deps, ownerId, request.params.id, request.body))
      },
    })

    app.post('/api/calendars/:id/locations/:calendar_location_id/primary', {
      schema: {
        ...shared,
        operationId: 'setPrimaryLocation',
        summary: 'Make a location the primary one of my calendar',
        params: calendarLocationParams,
        response: { 200: calendarLocationSchema, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return setPrimary(deps, ownerId, toKey(request.params))
      },
    })

    app.delete('/api/calendars/:id/locations/:calendar_location_id', {
      schema: {
        ...shared,
        operationId: 'removeCalendarLocation',
        summary: 'Take a location from my calendar; its appointments stay',
        params: calendarLocationParams,
        response: { 204: z.undefined(), ...ownerRefusals },
      },
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
