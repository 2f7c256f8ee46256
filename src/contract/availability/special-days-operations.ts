import { z } from 'zod'
import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { idOf } from '#contract/shared/primitives.ts'
import { specialDaysBody, specialDaysChange, specialDaysResponse, specialDaysSchema } from './special-days.ts'

/** Refusals of what an owner gives, for a new entry and for a changed one. */
const UNFIT = [
  'availability.start_after_end',
  'availability.too_many',
  'special_days.first_after_last',
  'special_days.too_long',
  'special_days.hours_overlap',
  'special_days.over',
] as const

const specialDaysParams = calendarParams.extend({ special_days_id: idOf('special_days.not_found') })

/** Days that have hours of their own instead of the weekly ones, or are closed. */
export const specialDaysOperations = defineOperations({
  listSpecialDays: {
    address: at.listSpecialDays,
    summary: 'Days that are closed or have hours of their own, from today on',
    tag: 'Availability',
    forOwners: true,
    params: calendarParams,
    answers: { 200: specialDaysResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  addSpecialDays: {
    address: at.addSpecialDays,
    summary: 'Close days, or give them hours of their own; appointments on them stay',
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
    summary: 'Put other days, hours and another note in the place of an entry',
    tag: 'Availability',
    forOwners: true,
    params: specialDaysParams,
    body: specialDaysChange,
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
    summary: 'Let the weekly hours count again on these days',
    tag: 'Availability',
    forOwners: true,
    params: specialDaysParams,
    answers: { 204: z.undefined() },
    problems: ['calendar.not_found', 'calendar.forbidden', 'special_days.not_found'],
  },
})
