import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { holidayOperations } from '#contract/availability/holiday-operations.ts'
import type { SpecialDaysDeps } from '#server/areas/availability/special-days/use-cases.ts'
import type { OwnerGuard } from '#server/platform/auth/owner-id.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { changeHolidayRegion, chooseHolidays, getHolidayCountries, getHolidays } from './use-cases.ts'

/** Routes for public holidays. */
export function holidayRoutes(deps: SpecialDaysDeps, signedIn: OwnerGuard): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(holidayOperations.listHolidays),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return getHolidays(deps, ownerId, request.params.id)
      },
    })

    app.route({
      ...toRoute(holidayOperations.chooseHolidays),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return chooseHolidays(deps, ownerId, request.params.id, request.body)
      },
    })

    app.route({
      ...toRoute(holidayOperations.changeHolidayRegion),
      handler: async (request) => {
        const { ownerId } = await signedIn(request)
        return changeHolidayRegion(deps, ownerId, request.params.id, request.body)
      },
    })

    app.route({
      ...toRoute(holidayOperations.listHolidayCountries),
      handler: async (request) => {
        await signedIn(request)
        return getHolidayCountries()
      },
    })
  }
}
