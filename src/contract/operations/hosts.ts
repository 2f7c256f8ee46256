import { calendarHostResponse, hostParams } from '#contract/hosts.ts'
import * as at from './addresses.ts'
import { defineOperations } from './operation.ts'

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
