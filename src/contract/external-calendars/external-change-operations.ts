import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import {
  externalChangeDecisionBody,
  externalChangeDecisionResponse,
  externalChangesResponse,
} from './external-calendars.ts'

/** Operations on changes in external calendars that need the owner's decision. */
export const externalChangeOperations = defineOperations({
  listExternalChanges: {
    address: at.listExternalChanges,
    summary: 'Changes in external calendars that wait for my decision',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: externalChangesResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  decideExternalChanges: {
    address: at.decideExternalChanges,
    summary: 'Apply changes in external calendars to the appointments, or reject them',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    body: externalChangeDecisionBody,
    answers: { 200: externalChangeDecisionResponse },
    problems: ['calendar.not_found', 'calendar.forbidden', 'external_change.not_found'],
  },
})
