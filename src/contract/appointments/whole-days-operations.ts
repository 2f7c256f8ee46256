import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import {
  bulkChangeBody,
  bulkChangeParams,
  bulkChangePreview,
  bulkChangeRange,
  bulkChangeResponse,
} from './whole-days.ts'

/** Operations that cancel all appointments on some days, or offer their customers other times. */
export const wholeDaysOperations = defineOperations({
  getManyChangeEffect: {
    address: at.getManyChangeEffect,
    summary: 'Preview a bulk change of all appointments on some days',
    tag: 'Appointments',
    forOwners: true,
    params: calendarParams,
    query: bulkChangeRange,
    answers: { 200: bulkChangePreview },
    problems: ['calendar.not_found', 'calendar.forbidden', 'many_change.range', 'many_change.too_many'],
  },
  createManyChange: {
    address: at.createManyChange,
    summary:
      'Cancel all appointments of some days, or offer other times for them, on one or several calendars, and close the days',
    tag: 'Appointments',
    forOwners: true,
    params: calendarParams,
    body: bulkChangeBody,
    answers: { 202: bulkChangeResponse },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'many_change.range',
      'many_change.none',
      'many_change.too_many',
      'many_change.changed_meanwhile',
      'many_change.too_often',
      'special_days.too_many',
    ],
  },
  getManyChange: {
    address: at.getManyChange,
    summary: 'The progress of a bulk change',
    tag: 'Appointments',
    forOwners: true,
    params: bulkChangeParams,
    answers: { 200: bulkChangeResponse },
    problems: ['calendar.not_found', 'calendar.forbidden', 'many_change.not_found'],
  },
})
