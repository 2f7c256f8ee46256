import { z } from 'zod'
import {
  type CreateOwnAppointmentBody,
  createOwnAppointmentBody,
  customDurationSchema,
  localTimeSchema,
} from '#contract/appointments/owner-booking.ts'
import { type CreateSeriesBody, seriesPlanQuery } from '#contract/appointments/series.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { dateSchema, multilineTextSchema } from '#contract/shared/primitives.ts'
import type { RequestedTime } from '#web/kit/time-check-query.ts'
import { type ChosenDate, type RequestedSeries, type SeriesFormValues, toBookedDates } from './series-form.ts'

/** The form's values. The time is either an offered start (`startsAt`) or, if `isTyped`, a typed clock time (`time`). */
export type NewAppointmentForm = SeriesFormValues & {
  name: string
  email: string
  phone: string
  typeId: string
  /** The typed duration in minutes, for calendars without services. */
  duration: string
  date: string
  isTyped: boolean
  startsAt: string
  time: string
  notes: string
  /** The customer's answers, by the id of the question. */
  answers: Record<string, string[]>
  notify: boolean
}

/** The default duration for calendars without services, in minutes (rules O5 and T7). */
export const DEFAULT_DURATION = '30'

export function emptyNewAppointmentForm(today: string): NewAppointmentForm {
  return {
    name: '',
    email: '',
    phone: '',
    typeId: '',
    duration: DEFAULT_DURATION,
    date: today,
    isTyped: false,
    startsAt: '',
    time: '',
    repeats: '',
    ends: 'count',
    count: '10',
    until: '',
    notes: '',
    answers: {},
    notify: true,
  }
}

/** True if the owner has typed nothing and chosen no time. */
export function isNewAppointmentFormEmpty({
  name,
  email,
  phone,
  startsAt,
  time,
  notes,
  answers,
}: NewAppointmentForm): boolean {
  return [name, email, phone, startsAt, time, notes, ...Object.values(answers).flat()].every(
    (text) => text === '',
  )
}

const { name, email, phone } = createOwnAppointmentBody.shape.customer.shape

/** Builds the form's schema, with the same error codes as the server. The server validates again. */
export function buildNewAppointmentFormSchema({
  hasTypes,
  isTyped,
  ends,
}: {
  hasTypes: boolean
  isTyped: boolean
  /** Where the series ends; null for a single appointment. */
  ends: NewAppointmentForm['ends'] | null
}) {
  return z.object({
    name,
    email: email.unwrap().unwrap(),
    phone: phone.unwrap().unwrap(),
    typeId: hasTypes ? z.string().min(1, 'booking.service_required') : z.string(),
    duration: hasTypes ? z.string() : z.string().refine(isDuration, 'booking.duration_invalid'),
    date: dateSchema,
    isTyped: z.boolean(),
    startsAt: isTyped ? z.string() : z.string().min(1, 'booking.time_required'),
    time: isTyped ? localTimeSchema : z.string(),
    repeats: z.enum(['', '1', '2', '4']),
    ends: z.enum(['count', 'until', 'never']),
    count: ends === 'count' ? z.string().refine(isSeriesCount, 'series.count_invalid') : z.string(),
    until: ends === 'until' ? dateSchema : z.string(),
    notes: multilineTextSchema(LIMITS.appointmentDescription),
    answers: z.record(z.string(), z.array(z.string())),
    notify: z.boolean(),
  })
}

function isDuration(text: string): boolean {
  return customDurationSchema.safeParse(text).success
}

function isSeriesCount(text: string): boolean {
  return seriesPlanQuery.shape.count.safeParse(text).success
}

/** Returns the time to check; null while the form is incomplete. */
export function toRequestedTime(form: NewAppointmentForm, hasTypes: boolean): RequestedTime | null {
  const { typeId, duration, isTyped, startsAt, date, time } = form
  const isComplete = isTyped
    ? dateSchema.safeParse(date).success && localTimeSchema.safeParse(time).success
    : startsAt !== ''
  const hasLength = hasTypes ? typeId !== '' : isDuration(duration)
  if (!isComplete || !hasLength) return null
  return {
    appointment_type_id: hasTypes ? typeId : '',
    duration: hasTypes ? '' : duration,
    starts_at: isTyped ? '' : startsAt,
    date: isTyped ? date : '',
    time: isTyped ? time : '',
  }
}

/** Converts a valid form to the request body. `anyway`: the owner has confirmed a time that customers are not offered. */
export function toNewAppointmentBody(
  form: NewAppointmentForm,
  { hasTypes, anyway }: { hasTypes: boolean; anyway: boolean },
): CreateOwnAppointmentBody {
  const when = form.isTyped ? { date: form.date, time: form.time } : { starts_at: form.startsAt }
  const what = hasTypes ? { appointment_type_id: form.typeId } : { duration: Number(form.duration) }
  return { ...what, ...when, ...toCommonBody(form), outside_hours: anyway }
}

/** Returns the fields that single appointments and series have. */
function toCommonBody(form: NewAppointmentForm) {
  return {
    description: form.notes || null,
    answers: Object.entries(form.answers).map(([question_id, value]) => ({ question_id, value })),
    customer: { name: form.name, email: form.email || null, phone: form.phone || null },
    notify_customer: form.notify,
  }
}

/** Converts a valid form to the request body for a series. `asked` is its rule, and `chosen` its dates. */
export function toNewSeriesBody(
  form: NewAppointmentForm,
  { asked, chosen }: { asked: RequestedSeries; chosen: readonly ChosenDate[] },
): CreateSeriesBody {
  const { date, time, every_weeks, appointment_type_id: typeId, duration } = asked
  return {
    ...(typeId === '' ? { duration: Number(duration) } : { appointment_type_id: typeId }),
    date,
    time,
    every_weeks: Number(every_weeks),
    is_standing: form.ends === 'never',
    planned: chosen.length,
    dates: toBookedDates(chosen),
    ...toCommonBody(form),
  }
}

/** The name of the form's field, by the path in the server's errors. */
export const FORM_FIELD_BY_ERROR_PATH: Readonly<Record<string, keyof NewAppointmentForm>> = {
  'customer.name': 'name',
  'customer.email': 'email',
  'customer.phone': 'phone',
  appointment_type_id: 'typeId',
  duration: 'duration',
  date: 'date',
  time: 'time',
  description: 'notes',
  count: 'count',
  until: 'until',
}
