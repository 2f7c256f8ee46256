import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { setupChanges, setupResponse } from './setup.ts'

/** Operations on the set-up of a new account. */
export const setupOperations = defineOperations({
  getSetup: {
    address: at.getSetup,
    summary: 'How far I have come with the set-up of my account',
    tag: 'Profile and subscription',
    forOwners: true,
    answers: { 200: setupResponse },
    problems: [],
  },
  changeSetup: {
    address: at.changeSetup,
    summary: 'Carry out steps of the set-up, skip them, or put the checklist away',
    tag: 'Profile and subscription',
    forOwners: true,
    body: setupChanges,
    answers: { 200: setupResponse },
    problems: [
      'setup.not_found',
      'setup.calendar_missing',
      'setup.services_saved',
      'auth.name_too_short',
      'calendar.not_found',
      'calendar.limit_reached',
      'calendar.time_zone_unknown',
      'appointment_type.name_required',
      'appointment_type.duration_too_short',
    ],
  },
})
