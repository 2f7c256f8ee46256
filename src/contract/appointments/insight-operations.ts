import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { allInsightsQuery, insightsQuery, insightsResponse } from './insights.ts'

/** Operations that return the statistics of calendars. */
export const insightOperations = defineOperations({
  getInsights: {
    address: at.getInsights,
    summary: 'Statistics of a calendar for charts: money, appointments and customers',
    tag: 'Appointments',
    forOwners: true,
    params: calendarParams,
    query: insightsQuery,
    answers: { 200: insightsResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  getAllInsights: {
    address: at.getAllInsights,
    summary: 'Statistics of all my calendars together for charts: money, appointments and customers',
    tag: 'Appointments',
    forOwners: true,
    query: allInsightsQuery,
    answers: { 200: insightsResponse },
    problems: ['calendar.time_zone_unknown'],
  },
})
