import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  appointmentTypeBody,
  appointmentTypeChanges,
  appointmentTypeSchema,
  appointmentTypesResponse,
  appointmentTypeUsageResponse,
  publicAppointmentTypesResponse,
} from '#contract/appointment-types.ts'
import { bookingLinkParams } from '#contract/calendars.ts'
import { idOf } from '#contract/primitives.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import {
  calendarParams,
  ownerRefusals,
  ownerSecurity,
  type SignedInGuard,
} from '#server/platform/http/owner-routes.ts'
import {
  type AppointmentTypesDeps,
  createType,
  deleteType,
  getTypeUsage,
  listOwnTypes,
  listPublicTypes,
  updateType,
} from './use-cases.ts'

const typeParams = calendarParams.extend({ type_id: idOf('appointment_type.not_found') })

/** The types of a calendar: visitors see them, the owner edits them. Source: rule C12. */
export function appointmentTypeRoutes(
  deps: AppointmentTypesDeps,
  signedIn: SignedInGuard,
): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/public/calendars/:slug/appointment-types', {
      schema: {
        operationId: 'getPublicAppointmentTypes',
        summary: 'What can be booked, by name',
        tags: ['Public booking'],
        params: bookingLinkParams,
        response: { 200: publicAppointmentTypesResponse, 404: problemSchema },
      },
      handler: async ({ params }) => ({ appointment_types: await listPublicTypes(deps, params.slug) }),
    })

    app.get('/api/calendars/:id/appointment-types', {
      schema: {
        operationId: 'listAppointmentTypes',
        summary: 'The appointment types of my calendar, by name, and its payment providers',
        tags: ['Appointment types'],
        security: ownerSecurity,
        params: calendarParams,
        response: { 200: appointmentTypesResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listOwnTypes(deps, ownerId, request.params.id)
      },
    })

    app.post('/api/calendars/:id/appointment-types', {
      schema: {
        operationId: 'createAppointmentType',
        summary: 'Add an appointment type',
        tags: ['Appointment types'],
        security: ownerSecurity,
        params: calendarParams,
        body: appointmentTypeBody,
        response: { 201: appointmentTypeSchema, ...ownerRefusals },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const type = await createType(deps, ownerId, request.params.id, request.body)
        return reply.code(201).send(type)
      },
    })

    app.patch('/api/calendars/:id/appointment-types/:type_id', {
      schema: {
        operationId: 'updateAppointmentType',
        summary: 'Change an appointment type; appointments keep what was agreed',
        tags: ['Appointment types'],
        security: ownerSecurity,
        params: typeParams,
        body: appointmentTypeChanges,
        response: { 200: appointmentTypeSchema, ...ownerRefusals, 409: problemSchema },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return updateType(deps, ownerId, toKey(request.params), request.body)
      },
    })

    app.get('/api/calendars/:id/appointment-types/:type_id/usage', {
      schema: {
        operationId: 'getAppointmentTypeUsage',
        summary: 'How many future appointments were booked as this type',
        tags: ['Appointment types'],
        security: ownerSecurity,
        params: typeParams,
        response: { 200: appointmentTypeUsageResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getTypeUsage(deps, ownerId, toKey(request.params))
      },
    })

    app.delete('/api/calendars/:id/appointment-types/:type_id', {
      schema: {
        operationId: 'deleteAppointmentType',
        summary: 'Remove an appointment type; its appointments stay',
        tags: ['Appointment types'],
        security: ownerSecurity,
        params: typeParams,
        response: { 204: z.undefined(), ...ownerRefusals },
      },
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
