import { z } from 'zod'
import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { idSchemaWithError } from '#contract/shared/primitives.ts'
import {
  specialDaysBody,
  specialDaysChanges,
  specialDaysResponse,
  specialDaysSchema,
} from './special-days.ts'

/** The refusals of a new or changed entry. */
const UNFIT = [
  'availability.start_after_end',
  'availability.too_many',
  'special_days.first_after_last',
  'special_days.too_long',
  'special_days.hours_overlap',
  'special_days.over',
] as const

const specialDaysParams = calendarParams.extend({
  special_days_id: idSchemaWithError('special_days.not_found'),
})

/** Operations on days that are closed or have their own opening hours instead of the weekly ones. */
export const specialDaysOperations = defineOperations({
  listSpecialDays: {
    address: at.listSpecialDays,
    summary: 'Current and future days that are closed or have their own hours',
    tag: 'Availability',
    forOwners: true,
    params: calendarParams,
    answers: { 200: specialDaysResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  addSpecialDays: {
    address: at.addSpecialDays,
    summary: 'Close days, or give them their own hours; appointments on them stay',
    tag: 'Availability',
    forOwners: true,
    params: calendarParams,
    body: specialDaysBody,
    answers: { 201: specialDaysSchema },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      ...UNFIT,
      'special_days.overlap',
      'special_days.too_many',
    ],
  },
  changeSpecialDays: {
    address: at.changeSpecialDays,
    summary: 'Change the days, hours and note of an entry',
    tag: 'Availability',
    forOwners: true,
    params: specialDaysParams,
    body: specialDaysChanges,
    answers: { 200: specialDaysSchema },
    problems: [
      'request.changed_meanwhile',
      'calendar.not_found',
      'calendar.forbidden',
      'special_days.not_found',
      ...UNFIT,
      'special_days.overlap',
    ],
  },
  removeSpecialDays: {
    address: at.removeSpecialDays,
    summary: 'Delete an entry; the weekly hours apply again on its days',
    tag: 'Availability',
    forOwners: true,
    params: specialDaysParams,
    answers: { 204: z.undefined() },
    problems: ['calendar.not_found', 'calendar.forbidden', 'special_days.not_found'],
  },
})
