import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { calendarHostResponse, hostParams } from './hosts.ts'

/** Host names of calendars. */
export const hostOperations = defineOperations({
  findCalendarOfHost: {
    address: at.findCalendarOfHost,
    summary: 'The calendar that a subdomain or a domain leads to',
    tag: 'Public booking',
    params: hostParams,
    answers: { 200: calendarHostResponse },
    problems: ['calendar.not_found'],
  },
})
