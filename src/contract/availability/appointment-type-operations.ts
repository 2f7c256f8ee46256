import { z } from 'zod'
import { bookingLinkParams, calendarParams, typeLinkQuery } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { idSchemaWithError } from '#contract/shared/primitives.ts'
import { LIMITS_REFUSALS } from '#contract/slots/booking-limits-problems.ts'
import {
  appointmentTypeBody,
  appointmentTypeChanges,
  appointmentTypeOrderBody,
  appointmentTypePreviewBody,
  appointmentTypeSchema,
  appointmentTypesResponse,
  appointmentTypeUsageResponse,
  publicAppointmentTypesResponse,
} from './appointment-types.ts'
import { availabilityPreviewResponse } from './opening-hours.ts'

/** Refusals of a type's own hours. */
const TYPE_HOURS_REFUSALS = [
  'availability.overlap',
  'availability.start_after_end',
  'availability.too_many',
] as const

const typeParams = calendarParams.extend({ type_id: idSchemaWithError('appointment_type.not_found') })

/** Operations on a calendar's appointment types, for visitors and for the owner. */
export const appointmentTypeOperations = defineOperations({
  getPublicAppointmentTypes: {
    address: at.getPublicAppointmentTypes,
    summary: 'What can be booked, in the order that its owner chose',
    tag: 'Public booking',
    params: bookingLinkParams,
    query: typeLinkQuery,
    answers: { 200: publicAppointmentTypesResponse },
    problems: ['calendar.not_found'],
  },
  listAppointmentTypes: {
    address: at.listAppointmentTypes,
    summary: 'The appointment types of my calendar, in my order, and its payment providers',
    tag: 'Appointment types',
    forOwners: true,
    params: calendarParams,
    answers: { 200: appointmentTypesResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  createAppointmentType: {
    address: at.createAppointmentType,
    summary: 'Add an appointment type',
    tag: 'Appointment types',
    forOwners: true,
    params: calendarParams,
    body: appointmentTypeBody,
    answers: { 201: appointmentTypeSchema },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'appointment_type.name_required',
      'appointment_type.duration_too_short',
      ...LIMITS_REFUSALS,
      ...TYPE_HOURS_REFUSALS,
      'location.not_found',
    ],
  },
  orderAppointmentTypes: {
    address: at.orderAppointmentTypes,
    summary:
      'Put the appointment types in another order; those not named follow, and unknown ids are ignored',
    tag: 'Appointment types',
    forOwners: true,
    params: calendarParams,
    body: appointmentTypeOrderBody,
    answers: { 204: z.undefined() },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  previewAppointmentType: {
    address: at.previewAppointmentType,
    summary:
      'Preview the times that customers would be offered on seven days with these rules; nothing is saved',
    tag: 'Appointment types',
    forOwners: true,
    params: calendarParams,
    body: appointmentTypePreviewBody,
    answers: { 200: availabilityPreviewResponse },
    problems: [
      'calendar.not_found',
      'calendar.forbidden',
      'appointment_type.not_found',
      'appointment_type.duration_too_short',
      ...LIMITS_REFUSALS,
      ...TYPE_HOURS_REFUSALS,
      'location.not_found',
    ],
  },
  updateAppointmentType: {
    address: at.updateAppointmentType,
    summary: 'Change an appointment type; appointments keep what was agreed',
    tag: 'Appointment types',
    forOwners: true,
    params: typeParams,
    body: appointmentTypeChanges,
    answers: { 200: appointmentTypeSchema },
    problems: [
      'request.changed_meanwhile',
      'calendar.not_found',
      'calendar.forbidden',
      'appointment_type.not_found',
      'appointment_type.name_required',
      'appointment_type.duration_too_short',
      ...LIMITS_REFUSALS,
      ...TYPE_HOURS_REFUSALS,
      'location.not_found',
    ],
  },
  getAppointmentTypeUsage: {
    address: at.getAppointmentTypeUsage,
    summary: 'The number of future appointments of this type',
    tag: 'Appointment types',
    forOwners: true,
    params: typeParams,
    answers: { 200: appointmentTypeUsageResponse },
    problems: ['calendar.not_found', 'calendar.forbidden', 'appointment_type.not_found'],
  },
  deleteAppointmentType: {
    address: at.deleteAppointmentType,
    summary: 'Remove an appointment type; its appointments stay',
    tag: 'Appointment types',
    forOwners: true,
    params: typeParams,
    answers: { 204: z.undefined() },
    problems: ['calendar.not_found', 'calendar.forbidden', 'appointment_type.not_found'],
  },
})
