import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { slotOperations } from '#contract/slots/slot-operations.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { countSlotsPerDay, getFirstSlots, getSlots, type SlotsDeps } from './use-cases.ts'

/**
 * Skips response validation on the busiest routes. Their responses consist of numbers and times that we computed, and
 * validating them would double the work.
 */
const serializerCompiler = () => JSON.stringify

/** Public routes for open times. */
export function slotRoutes(deps: SlotsDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(slotOperations.getPublicAvailableTimeSlotsWithGoogle),
      serializerCompiler,
      handler: ({ params, query }) =>
        getSlots(deps, {
          slug: params.slug,
          date: query.date,
          appointmentTypeId: query.appointment_type_id,
          timeZone: query.time_zone,
        }),
    })

    app.route({
      ...toRoute(slotOperations.listPublicAvailableDays),
      serializerCompiler,
      handler: ({ params, query }) =>
        countSlotsPerDay(deps, {
          slug: params.slug,
          from: query.from,
          to: query.to,
          appointmentTypeId: query.appointment_type_id,
          timeZone: query.time_zone,
        }),
    })

    app.route({
      ...toRoute(slotOperations.listFirstAvailableTimes),
      serializerCompiler,
      handler: ({ params, query }) =>
        getFirstSlots(deps, {
          slug: params.slug,
          appointmentTypeId: query.appointment_type_id,
          timeZone: query.time_zone,
        }),
    })
  }
}
