import { z } from 'zod'
import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { calendarFeedResponse, feedParams } from './feeds.ts'

/** Operations on a calendar's iCalendar feed. */
export const feedOperations = defineOperations({
  getCalendarFeed: {
    address: at.getCalendarFeed,
    summary: 'The secret URL of the iCalendar feed of a calendar',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: calendarFeedResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  createCalendarFeed: {
    address: at.createCalendarFeed,
    summary: 'Create a secret feed URL; an earlier one stops working',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: calendarFeedResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  revokeCalendarFeed: {
    address: at.revokeCalendarFeed,
    summary: 'Revoke the secret feed URL',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: calendarFeedResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  readCalendarFeed: {
    address: at.readCalendarFeed,
    summary: 'The iCalendar feed of a calendar, for anyone with its secret URL',
    tag: 'External calendars',
    params: feedParams,
    answers: {
      200: {
        description: 'RFC 5545',
        content: { 'text/calendar': { schema: z.string() } },
      },
      304: z.undefined(),
    },
    problems: ['feed.not_found'],
  },
})
