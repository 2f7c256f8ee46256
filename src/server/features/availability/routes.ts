import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  availabilityBody,
  availabilityResponse,
  availabilitySchema,
  copyAvailabilityBody,
  previewQuery,
  previewResponse,
  slotSettingsChanges,
  slotSettingsSchema,
} from '#contract/availability.ts'
import { idOf } from '#contract/primitives.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import {
  calendarParams,
  ownerRefusals,
  ownerSecurity,
  type SignedInGuard,
} from '#server/platform/http/owner-routes.ts'
import {
  type AvailabilityDeps,
  addRange,
  changeSlotSettings,
  copyDay,
  getAvailability,
  getPreview,
  removeRange,
} from './use-cases.ts'

const rangeParams = calendarParams.extend({ availability_id: idOf('availability.not_found') })
const refusals = { ...ownerRefusals, 409: problemSchema }

/** When customers can book: the weekly schedule, the slot settings, and the times that follow from both. */
export function availabilityRoutes(deps: AvailabilityDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/calendars/:id/availability', {
      schema: {
        operationId: 'getAvailability',
        summary: 'The weekly schedule, the slot settings, and how long each type takes',
        tags: ['Availability'],
        security: ownerSecurity,
        params: calendarParams,
        response: { 200: availabilityResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getAvailability(deps, ownerId, request.params.id)
      },
    })

    app.post('/api/calendars/:id/availability', {
      schema: {
        operationId: 'addAvailability',
        summary: 'Open a range of a weekday',
        tags: ['Availability'],
        security: ownerSecurity,
        params: calendarParams,
        body: availabilityBody,
        response: { 201: availabilitySchema, ...refusals },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        return reply.code(201).send(await addRange(deps, ownerId, request.params.id, request.body))
      },
    })

    app.post('/api/calendars/:id/availability/copy', {
      schema: {
        operationId: 'copyAvailability',
        summary: 'Put the ranges of one weekday in the place of those of others',
        tags: ['Availability'],
        security: ownerSecurity,
        params: calendarParams,
        body: copyAvailabilityBody,
        response: { 200: availabilityResponse, ...refusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return copyDay(deps, ownerId, request.params.id, request.body)
      },
    })

    app.delete('/api/calendars/:id/availability/:availability_id', {
      schema: {
        operationId: 'removeAvailability',
        summary: 'Close a range of a weekday; appointments in it stay',
        tags: ['Availability'],
        security: ownerSecurity,
        params: rangeParams,
        response: { 204: z.undefined(), ...ownerRefusals },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const { id: calendarId, availability_id: id } = request.params
        await removeRange(deps, ownerId, { calendarId, id })
        return reply.code(204).send()
      },
    })

    app.patch('/api/calendars/:id/slot-settings', {
      schema: {
        operationId: 'updateSlotSettings',
        summary: 'Change slot length, buffer and longest appointment; appointments keep their times',
        tags: ['Availability'],
        security: ownerSecurity,
        params: calendarParams,
        body: slotSettingsChanges,
        response: { 200: slotSettingsSchema, ...refusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeSlotSettings(deps, ownerId, request.params.id, request.body)
      },
    })

    app.get('/api/calendars/:id/availability/preview', {
      schema: {
        operationId: 'previewAvailability',
        summary: 'What customers are offered in seven days',
        tags: ['Availability'],
        security: ownerSecurity,
        params: calendarParams,
        querystring: previewQuery,
        response: { 200: previewResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const { from, appointment_type_id: appointmentTypeId } = request.query
        return getPreview(deps, ownerId, request.params.id, { from, appointmentTypeId })
      },
    })
  }
}
