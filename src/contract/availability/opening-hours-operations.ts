import { z } from 'zod'
import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { idSchemaWithError } from '#contract/shared/primitives.ts'
import { LIMITS_REFUSALS } from '#contract/slots/booking-limits-problems.ts'
import { slotSettingsChanges, slotSettingsWithLimits } from '#contract/slots/slot-settings.ts'
import {
  availabilityBody,
  availabilityChanges,
  availabilityPreviewQuery,
  availabilityPreviewResponse,
  availabilityResponse,
  availabilitySchema,
  copyAvailabilityBody,
  removeAvailabilityQuery,
  replaceAvailabilityBody,
} from './opening-hours.ts'

const rangeParams = calendarParams.extend({ availability_id: idSchemaWithError('availability.not_found') })

/** Operations on the weekly schedule and the slot settings, and a preview of the resulting times. */
export const openingHoursOperations = defineOperations({
  getAvailability: {
    address: at.getAvailability,
    summary: 'The weekly schedule, the slot settings, and the duration of each type',
    tag: 'Availability',
    forOwners: true,
    params: calendarParams,
    answers: { 200: availabilityResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  addAvailability: {
    address: at.addAvailability,
    summary: 'Add opening hours to a weekday',
    tag: 'Availability',
    forOwners: true,
    params: calendarParams,
    body: availabilityBody,
    answers: { 201: availabilitySchema },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'availability.start_after_end',
      'availability.overlap',
      'availability.too_many',
    ],
  },
  copyAvailability: {
    address: at.copyAvailability,
    summary: 'Copy the opening hours of one weekday to other weekdays',
    tag: 'Availability',
    forOwners: true,
    params: calendarParams,
    body: copyAvailabilityBody,
    answers: { 200: availabilityResponse },
    problems: [
      'request.changed_meanwhile',
      'calendar.not_found',
      'calendar.forbidden',
      'availability.start_after_end',
      'availability.too_many',
    ],
  },
  replaceAvailability: {
    address: at.replaceAvailability,
    summary: 'Replace the opening hours of some weekdays; appointments stay',
    tag: 'Availability',
    forOwners: true,
    params: calendarParams,
    body: replaceAvailabilityBody,
    answers: { 200: availabilityResponse },
    problems: [
      'request.changed_meanwhile',
      'calendar.not_found',
      'calendar.forbidden',
      'availability.start_after_end',
      'availability.overlap',
      'availability.too_many',
    ],
  },
  changeAvailability: {
    address: at.changeAvailability,
    summary: 'Change the times of opening hours; appointments stay',
    tag: 'Availability',
    forOwners: true,
    params: rangeParams,
    body: availabilityChanges,
    answers: { 200: availabilitySchema },
    problems: [
      'request.changed_meanwhile',
      'calendar.not_found',
      'calendar.forbidden',
      'availability.not_found',
      'availability.start_after_end',
      'availability.overlap',
    ],
  },
  removeAvailability: {
    address: at.removeAvailability,
    summary: 'Remove opening hours from a weekday; appointments stay',
    tag: 'Availability',
    forOwners: true,
    params: rangeParams,
    query: removeAvailabilityQuery,
    answers: { 204: z.undefined() },
    problems: [
      'request.changed_meanwhile',
      'calendar.not_found',
      'calendar.forbidden',
      'availability.not_found',
    ],
  },
  updateSlotSettings: {
    address: at.updateSlotSettings,
    summary: 'Change slot length, buffer, limits and longest appointment; appointments keep their times',
    tag: 'Availability',
    forOwners: true,
    params: calendarParams,
    body: slotSettingsChanges,
    answers: { 200: slotSettingsWithLimits },
    problems: [
      'request.changed_meanwhile',
      'calendar.not_found',
      'calendar.forbidden',
      'availability.max_below_slot',
      ...LIMITS_REFUSALS,
    ],
  },
  previewAvailability: {
    address: at.previewAvailability,
    summary: 'Preview the times that customers are offered on seven days',
    tag: 'Availability',
    forOwners: true,
    params: calendarParams,
    query: availabilityPreviewQuery,
    answers: { 200: availabilityPreviewResponse },
    problems: ['calendar.not_found', 'calendar.forbidden', 'booking.type_unknown'],
  },
})
