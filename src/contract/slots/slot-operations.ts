import { bookingLinkParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import {
  firstAvailableTimesQuery,
  firstAvailableTimesResponse,
  slotCountsPerDayQuery,
  slotCountsPerDayResponse,
  slotsQuery,
  slotsResponse,
} from './slots.ts'

/** Operations that list available times, for anyone with the booking link. */
export const slotOperations = defineOperations({
  getPublicAvailableTimeSlotsWithGoogle: {
    address: at.getPublicAvailableTimeSlotsWithGoogle,
    summary: 'Open times of one day',
    tag: 'Public booking',
    params: bookingLinkParams,
    query: slotsQuery,
    answers: { 200: slotsResponse },
    problems: ['calendar.not_found', 'calendar.time_zone_unknown', 'booking.type_unknown'],
  },
  listPublicAvailableDays: {
    address: at.listPublicAvailableDays,
    summary: 'The number of open times on each day of a range',
    tag: 'Public booking',
    params: bookingLinkParams,
    query: slotCountsPerDayQuery,
    answers: { 200: slotCountsPerDayResponse },
    problems: ['calendar.not_found', 'booking.type_unknown', 'calendar.time_zone_unknown'],
  },
  listFirstAvailableTimes: {
    address: at.listFirstAvailableTimes,
    summary: 'The first open times from now on, suggested before a day is chosen',
    tag: 'Public booking',
    params: bookingLinkParams,
    query: firstAvailableTimesQuery,
    answers: { 200: firstAvailableTimesResponse },
    problems: ['calendar.not_found', 'booking.type_unknown', 'calendar.time_zone_unknown'],
  },
})
