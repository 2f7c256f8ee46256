import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { customerOperations } from '#contract/customers/customer-operations.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { changeCustomer } from './change-use-cases.ts'
import { mergeCustomers } from './merge-use-cases.ts'
import {
  type CustomerExportDeps,
  eraseCustomerForOwner,
  exportCustomerForOwner,
  getCustomer,
  listAllCustomers,
  listCustomers,
  searchCustomers,
} from './page-use-cases.ts'

/** Routes for an owner who lists, reads, changes, merges, exports and erases the customers of a calendar. */
export function customerRoutes(deps: CustomerExportDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  const keyOf = ({ id, customer_id }: { id: string; customer_id: string }) => ({
    calendarId: id,
    customerId: customer_id,
  })
  return async (app) => {
    app.route({
      ...toRoute(customerOperations.searchCustomers),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const input = { calendarId: request.params.id, search: request.query.search }
        return { customers: await searchCustomers(deps, ownerId, input) }
      },
    })

    app.route({
      ...toRoute(customerOperations.listCustomers),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listCustomers(deps, ownerId, { calendarId: request.params.id, ...request.query })
      },
    })

    app.route({
      ...toRoute(customerOperations.listAllCustomers),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return listAllCustomers(deps, ownerId, request.query)
      },
    })

    app.route({
      ...toRoute(customerOperations.getCustomer),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getCustomer(deps, ownerId, keyOf(request.params))
      },
    })

    app.route({
      ...toRoute(customerOperations.updateCustomer),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeCustomer(deps, ownerId, keyOf(request.params), request.body)
      },
    })

    app.route({
      ...toRoute(customerOperations.mergeCustomers),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        const key = keyOf(request.params)
        return mergeCustomers(deps, ownerId, { ...key, otherId: request.body.other_id })
      },
    })

    app.route({
      ...toRoute(customerOperations.exportCustomer),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        const data = await exportCustomerForOwner(deps, ownerId, keyOf(request.params))
        return reply.header('content-disposition', 'attachment; filename="customer.json"').send(data)
      },
    })

    app.route({
      ...toRoute(customerOperations.eraseCustomer),
      handler: async (request, reply) => {
        const { ownerId } = await signedIn(request)
        await eraseCustomerForOwner(deps, ownerId, keyOf(request.params))
        return reply.code(204).send()
      },
    })
  }
}
