import { z } from 'zod'
import { ownAppointmentParams } from '#contract/appointments.ts'
import { calendarParams } from '#contract/calendars.ts'
import {
  appointmentHistoryResponse,
  calendarFeedResponse,
  decideChangesBody,
  decideChangesResponse,
  externalChangesResponse,
} from '#contract/external-calendars.ts'
import * as at from './addresses.ts'
import { defineOperations } from './operation.ts'

const OWN = ['calendar.not_found', 'calendar.forbidden'] as const

/** What becomes of appointments through external calendars. */
export const externalChangeOperations = defineOperations({
  listExternalChanges: {
    address: at.listExternalChanges,
    summary: 'Changes in external calendars that wait for a decision',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: externalChangesResponse },
    problems: OWN,
  },
  decideExternalChanges: {
    address: at.decideExternalChanges,
    summary: 'Follow such changes, or keep the appointments',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    body: decideChangesBody,
    answers: { 200: decideChangesResponse },
    problems: OWN,
  },
  getAppointmentHistory: {
    address: at.getAppointmentHistory,
    summary: 'What became of an appointment',
    tag: 'Appointments',
    forOwners: true,
    params: ownAppointmentParams,
    answers: { 200: appointmentHistoryResponse },
    problems: [...OWN, 'appointment.not_found'],
  },
  getCalendarFeed: {
    address: at.getCalendarFeed,
    summary: 'The secret address of the appointments of a calendar',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: calendarFeedResponse },
    problems: OWN,
  },
  createCalendarFeed: {
    address: at.createCalendarFeed,
    summary: 'Make such an address',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 200: calendarFeedResponse },
    problems: OWN,
  },
  revokeCalendarFeed: {
    address: at.revokeCalendarFeed,
    summary: 'Revoke such an address',
    tag: 'External calendars',
    forOwners: true,
    params: calendarParams,
    answers: { 204: z.undefined() },
    problems: OWN,
  },
})
