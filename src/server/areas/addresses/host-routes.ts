import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { hostOperations } from '#contract/addresses/host-operations.ts'
import type { CalendarHostResponse } from '#contract/addresses/hosts.ts'
import { toHostName } from '#core/addresses/host-name.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { toRoute } from '#server/platform/http/to-route.ts'
import { type FindAddressDeps, findCanonicalAddress, findServedHost } from './use-cases.ts'

/** Public route that returns the calendar to which a host name belongs. */
export function hostRoutes(deps: FindAddressDeps): FastifyPluginAsyncZod {
  return async (app) => {
    app.route({
      ...toRoute(hostOperations.findCalendarOfHost),
      handler: ({ params }) => getCalendarOfHost(deps, params.hostname),
    })
  }
}

/**
 * Returns the calendar of a host name.
 * @throws ProblemError `calendar.not_found`
 */
async function getCalendarOfHost(deps: FindAddressDeps, hostname: string): Promise<CalendarHostResponse> {
  const host = toHostName(hostname)
  const served = host && (await findServedHost(deps, host))
  const public_url = served && (await findCanonicalAddress(deps, served.calendarId))
  if (!served || !public_url) throw new ProblemError('calendar.not_found')
  return { calendar_slug: served.slug, public_url }
}
