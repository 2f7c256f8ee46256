import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import {
  bookingLinkParams,
  calendarChanges,
  calendarOutlook,
  calendarSchema,
  calendarsResponse,
  createCalendarBody,
  publicCalendarSchema,
  publicPaymentProviders,
} from '#contract/calendars.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import {
  calendarParams,
  ownerRefusals,
  ownerSecurity,
  type SignedInGuard,
} from '#server/platform/http/owner-routes.ts'
import { changeCalendar } from './change-calendar.ts'
import {
  type CalendarsDeps,
  createCalendar,
  deleteCalendar,
  getCalendarOutlook,
  getCalendarSettings,
  getPublicCalendar,
  getPublicPaymentProviders,
  listOwnCalendars,
} from './use-cases.ts'

/** Calendars: what visitors may know of one, and what its owner can do with it. */
export function calendarRoutes(deps: CalendarsDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/public/calendars/:slug', {
      schema: {
        operationId: 'getPublicCalendarBySlug',
        summary: 'A public calendar by its booking link',
        tags: ['Public booking'],
        params: bookingLinkParams,
        response: { 200: publicCalendarSchema, 404: problemSchema },
      },
      handler: ({ params }) => getPublicCalendar(deps, params.slug),
    })

    app.get('/api/public/calendars/:slug/payment-providers', {
      schema: {
        operationId: 'getPublicPaymentProviders',
        summary: 'Which payment providers a calendar has connected',
        tags: ['Public booking'],
        params: bookingLinkParams,
        response: { 200: publicPaymentProviders, 404: problemSchema },
      },
      handler: ({ params }) => getPublicPaymentProviders(deps, params.slug),
    })

    app.get('/api/calendars', {
      schema: {
        operationId: 'listCalendars',
        summary: 'My calendars, newest first',
        tags: ['Calendars'],
        security: ownerSecurity,
        response: { 200: calendarsResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return { calendars: await listOwnCalendars(deps, ownerId) }
      },
    })

    app.post('/api/calendars', {
      schema: {
        operationId: 'createCalendar',
        summary: 'Create a calendar that can be booked at once',
        tags: ['Calendars'],
        security: ownerSecurity,
        body: createCalendarBody,
        response: { 201: calendarSchema, ...ownerRefusals, 402: problemSchema, 409: problemSchema },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        return reply.code(201).send(await createCalendar(deps, ownerId, request.body))
      },
    })

    app.get('/api/calendars/:id', {
      schema: {
        operationId: 'getCalendar',
        summary: 'One of my calendars',
        tags: ['Calendars'],
        security: ownerSecurity,
        params: calendarParams,
        response: { 200: calendarSchema, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getCalendarSettings(deps, ownerId, request.params.id)
      },
    })

    app.get('/api/calendars/:id/outlook', {
      schema: {
        operationId: 'getCalendarOutlook',
        summary: 'How many appointments lie ahead on a calendar, and the next of them',
        tags: ['Calendars'],
        security: ownerSecurity,
        params: calendarParams,
        response: { 200: calendarOutlook, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getCalendarOutlook(deps, ownerId, request.params.id)
      },
    })

    app.patch('/api/calendars/:id', {
      schema: {
        operationId: 'updateCalendar',
        summary: 'Change the professional, the time zone or the reminders of a calendar',
        tags: ['Calendars'],
        security: ownerSecurity,
        params: calendarParams,
        body: calendarChanges,
        response: { 200: calendarSchema, ...ownerRefusals, 409: problemSchema },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeCalendar(deps, ownerId, request.params.id, request.body)
      },
    })

    app.delete('/api/calendars/:id', {
      schema: {
        operationId: 'deleteCalendar',
        summary: 'Delete a calendar and everything in it',
        tags: ['Calendars'],
        security: ownerSecurity,
        params: calendarParams,
        response: { 204: z.undefined(), ...ownerRefusals, 409: problemSchema },
      },
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await deleteCalendar(deps, ownerId, request.params.id)
        return reply.code(204).send()
      },
    })
  }
}
