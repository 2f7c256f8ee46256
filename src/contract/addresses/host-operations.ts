import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { calendarHostResponse, hostParams } from './hosts.ts'

/** Operations that find a calendar by its host name. */
export const hostOperations = defineOperations({
  findCalendarOfHost: {
    address: at.findCalendarOfHost,
    summary: 'The calendar at a subdomain or a domain',
    tag: 'Public booking',
    params: hostParams,
    answers: { 200: calendarHostResponse },
    problems: ['calendar.not_found'],
  },
})
