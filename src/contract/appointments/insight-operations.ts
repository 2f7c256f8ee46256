import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { insightsQuery, insightsResponse } from './insights.ts'

/** What the appointments of a calendar add up to. */
export const insightOperations = defineOperations({
  getInsights: {
    address: at.getInsights,
    summary: 'Money, appointments and customers of a calendar, counted for charts',
    tag: 'Appointments',
    forOwners: true,
    params: calendarParams,
    query: insightsQuery,
    answers: { 200: insightsResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
})
