import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { customersQuery, customersResponse } from '#contract/owner-booking.ts'
import {
  calendarParams,
  ownerRefusals,
  ownerSecurity,
  type SignedInGuard,
} from '#server/platform/http/owner-routes.ts'
import { type CustomersDeps, searchCustomers } from './use-cases.ts'

/** The customers of a calendar. */
export function customerRoutes(deps: CustomersDeps, signedIn: SignedInGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.get('/api/calendars/:id/customers', {
      schema: {
        operationId: 'searchCustomers',
        summary: 'Customers by parts of their name, email, client number or phone number, at most 10',
        tags: ['Appointments'],
        security: ownerSecurity,
        params: calendarParams,
        querystring: customersQuery,
        response: { 200: customersResponse, ...ownerRefusals },
      },
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const input = { calendarId: request.params.id, search: request.query.search }
        return { customers: await searchCustomers(deps, ownerId, input) }
      },
    })
  }
}
