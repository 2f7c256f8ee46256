import { z } from 'zod'
import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { idSchemaWithError } from '#contract/shared/primitives.ts'
import {
  addLocationBody,
  calendarLocationSchema,
  calendarLocationsResponse,
  locationChanges,
  locationSchema,
  locationsResponse,
  locationUsageResponse,
} from './locations.ts'

const locationParams = z.object({ location_id: idSchemaWithError('location.not_found') })
const locationCalendarParams = locationParams.extend({ calendar_id: idSchemaWithError('location.not_found') })
const calendarLocationParams = calendarParams.extend({
  calendar_location_id: idSchemaWithError('location.not_found'),
})

/** Operations on the locations of an owner and of their calendars. */
export const locationOperations = defineOperations({
  listLocations: {
    address: at.listLocations,
    summary: 'My locations, by name',
    tag: 'Locations',
    forOwners: true,
    answers: { 200: locationsResponse },
    problems: [],
  },
  updateLocation: {
    address: at.updateLocation,
    summary: 'Change a location; appointments keep the name and address they were booked with',
    tag: 'Locations',
    forOwners: true,
    params: locationParams,
    body: locationChanges,
    answers: { 200: locationSchema },
    problems: ['request.changed_meanwhile', 'location.name_required', 'location.not_found', 'location.taken'],
  },
  deleteLocation: {
    address: at.deleteLocation,
    summary: 'Delete a location for good; its appointments stay',
    tag: 'Locations',
    forOwners: true,
    params: locationParams,
    answers: { 204: z.undefined() },
    problems: ['location.not_found'],
  },
  getLocationUsage: {
    address: at.getLocationUsage,
    summary: 'Which calendars use a location, with how many types and future appointments',
    tag: 'Locations',
    forOwners: true,
    params: locationParams,
    answers: { 200: locationUsageResponse },
    problems: ['location.not_found'],
  },
  replaceSharingCode: {
    address: at.replaceSharingCode,
    summary: 'Replace the sharing code of my location; the old code no longer works',
    tag: 'Locations',
    forOwners: true,
    params: locationParams,
    answers: { 200: locationSchema },
    problems: ['location.not_found', 'location.not_shareable'],
  },
  removeCalendarFromLocation: {
    address: at.removeCalendarFromLocation,
    summary:
      'Remove my location from a calendar; on a calendar of another owner its appointments no longer reserve it',
    tag: 'Locations',
    forOwners: true,
    params: locationCalendarParams,
    answers: { 204: z.undefined() },
    problems: ['location.not_found'],
  },
  listCalendarLocations: {
    address: at.listCalendarLocations,
    summary:
      'The locations of my calendar, the primary one first, then by name; and those that are no longer shared with it',
    tag: 'Locations',
    forOwners: true,
    params: calendarParams,
    answers: { 200: calendarLocationsResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  addCalendarLocation: {
    address: at.addCalendarLocation,
    summary:
      'Add a location to my calendar: one of mine, one of another owner by its sharing code, or a new one',
    tag: 'Locations',
    forOwners: true,
    params: calendarParams,
    body: addLocationBody,
    answers: { 201: calendarLocationSchema },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'location.name_required',
      'location.not_found',
      'location.code_unknown',
      'location.too_many_guests',
      'location.already_added',
    ],
  },
  setPrimaryLocation: {
    address: at.setPrimaryLocation,
    summary: 'Make a location the primary one of my calendar',
    tag: 'Locations',
    forOwners: true,
    params: calendarLocationParams,
    answers: { 200: calendarLocationSchema },
    problems: ['calendar.not_found', 'calendar.forbidden', 'location.not_found'],
  },
  removeCalendarLocation: {
    address: at.removeCalendarLocation,
    summary: 'Remove a location from my calendar; its appointments stay',
    tag: 'Locations',
    forOwners: true,
    params: calendarLocationParams,
    answers: { 204: z.undefined() },
    problems: ['calendar.not_found', 'calendar.forbidden', 'location.not_found'],
  },
})
