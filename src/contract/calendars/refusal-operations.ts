import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { calendarParams } from './calendars.ts'
import { activityPageQuery, refusalsResponse } from './refusals.ts'

/** Operations on bookings that were refused because of the time. */
export const refusalOperations = defineOperations({
  listRefusals: {
    address: at.listRefusals,
    summary: 'The starts that customers were refused in the last 30 days, newest first, with all reasons',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    query: activityPageQuery,
    answers: { 200: refusalsResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
})
