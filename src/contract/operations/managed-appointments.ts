import { managedAppointmentSchema, manageLinkParams } from '#contract/managed-appointments.ts'
import type { ProblemCode } from '#contract/problem.ts'
import * as at from './addresses.ts'
import { defineOperations } from './operation.ts'

/** What every operation below the signed link of an appointment may be refused with. */
export const MANAGE_LINK_PROBLEMS = [
  'manage.not_found',
  'manage.too_many',
  'manage.replaced',
  'manage.ended',
  'manage.erased',
  'manage.given_back',
] as const satisfies readonly ProblemCode[]

/** The customer's own page of an appointment. */
export const managedAppointmentOperations = defineOperations({
  getManagedAppointment: {
    address: at.getManagedAppointment,
    summary: 'One appointment, for whoever has its signed link',
    tag: 'Public booking',
    params: manageLinkParams,
    answers: { 200: managedAppointmentSchema },
    problems: [...MANAGE_LINK_PROBLEMS],
  },
})
