import { z } from 'zod'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { calendarParams, calendarSchema } from './calendars.ts'
import { changePersonBody, overlapsResponse, peopleResponse, personQuery } from './people.ts'

/** Operations on the people whose time is booked, and on their calendars. */
export const peopleOperations = defineOperations({
  listPeople: {
    address: at.listPeople,
    summary: 'The people whose time is booked, each with their calendars',
    tag: 'Calendars',
    forOwners: true,
    answers: { 200: peopleResponse },
    problems: [],
  },
  listOverlapsWithPerson: {
    address: at.listOverlapsWithPerson,
    summary: 'Future appointments that would overlap if a calendar belonged to a person',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    query: personQuery,
    answers: { 200: overlapsResponse },
    problems: ['calendar.not_found', 'calendar.forbidden', 'person.not_found', 'person.name_required'],
  },
  changePersonOfCalendar: {
    address: at.changePersonOfCalendar,
    summary: 'Assign a calendar and its future appointments to another person',
    tag: 'Calendars',
    forOwners: true,
    params: calendarParams,
    body: changePersonBody,
    answers: { 200: calendarSchema },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'person.not_found',
      'person.name_required',
      'person.overlaps',
      'request.changed_meanwhile',
    ],
  },
  listKeptOverlaps: {
    address: at.listKeptOverlaps,
    summary: 'Future appointments of one person that overlap, from before overlaps were prevented',
    tag: 'Calendars',
    forOwners: true,
    answers: { 200: overlapsResponse },
    problems: [],
  },
  putKeptOverlapsAway: {
    address: at.putKeptOverlapsAway,
    summary: 'Dismiss the list of these appointments',
    tag: 'Calendars',
    forOwners: true,
    answers: { 204: z.undefined() },
    problems: [],
  },
})
