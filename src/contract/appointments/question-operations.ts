import { calendarParams } from '#contract/calendars/calendars.ts'
import * as at from '#contract/operations/addresses.ts'
import { defineOperations } from '#contract/operations/operation.ts'
import { ownerAppointmentParams } from './appointments.ts'
import { appointmentAnswersResponse, questionsBody, questionsResponse } from './questions.ts'

/** Operations on the questions of a calendar and their answers, for its owner. */
export const questionOperations = defineOperations({
  listQuestions: {
    address: at.listQuestions,
    summary: 'The questions that customers answer when they book, in their order',
    tag: 'Appointment types',
    forOwners: true,
    params: calendarParams,
    answers: { 200: questionsResponse },
    problems: ['calendar.not_found', 'calendar.forbidden'],
  },
  changeQuestions: {
    address: at.changeQuestions,
    summary: 'Replace the questions; answers to removed or changed ones stay',
    tag: 'Appointment types',
    forOwners: true,
    params: calendarParams,
    body: questionsBody,
    answers: { 200: questionsResponse },
    problems: [
      'request.changed_meanwhile',
      'calendar.not_found',
      'calendar.forbidden',
      'appointment_type.not_found',
      'question.label_required',
      'question.has_link',
      'question.choices_required',
      'question.too_many',
      'question.condition_unknown',
      'question.condition_lost',
    ],
  },
  getAppointmentAnswers: {
    address: at.getAppointmentAnswers,
    summary: 'The answers of the customer, private ones too',
    tag: 'Appointments',
    forOwners: true,
    params: ownerAppointmentParams,
    answers: { 200: appointmentAnswersResponse },
    problems: ['calendar.not_found', 'calendar.forbidden', 'appointment.not_found'],
  },
})
