import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { bookingLinkParams } from '#contract/calendars.ts'
import { problemSchema } from '#contract/problem-schema.ts'
import { daysQuery, daysResponse, slotsQuery, slotsResponse } from '#contract/slots.ts'
import { getDays, getSlots, type SlotsDeps } from './use-cases.ts'

const refusals = { 400: problemSchema, 404: problemSchema, 429: problemSchema }

/**
 * The answers are numbers and times that we made, on the busiest routes: a second check would be as much work again.
 */
const serializerCompiler = () => JSON.stringify

/** Open times, for anyone who has the link. */
export function slotRoutes(deps: SlotsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/public/calendars/:slug/slots', {
      schema: {
        operationId: 'getPublicAvailableTimeSlotsWithGoogle',
        summary: 'Open times of one day',
        tags: ['Public booking'],
        params: bookingLinkParams,
        querystring: slotsQuery,
        response: { 200: slotsResponse, ...refusals },
      },
      serializerCompiler,
      handler: ({ params, query }) =>
        getSlots(deps, {
          slug: params.slug,
          date: query.date,
          appointmentTypeId: query.appointment_type_id,
          timeZone: query.time_zone,
        }),
    })

    app.get('/api/public/calendars/:slug/days', {
      schema: {
        operationId: 'listPublicAvailableDays',
        summary: 'How many open times each day of a range has',
        tags: ['Public booking'],
        params: bookingLinkParams,
        querystring: daysQuery,
        response: { 200: daysResponse, ...refusals },
      },
      serializerCompiler,
      handler: ({ params, query }) =>
        getDays(deps, {
          slug: params.slug,
          from: query.from,
          to: query.to,
          appointmentTypeId: query.appointment_type_id,
          timeZone: query.time_zone,
        }),
    })
  }
}
