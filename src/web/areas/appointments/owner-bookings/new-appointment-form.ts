import { z } from 'zod'
import {
  type CreateOwnAppointmentBody,
  createOwnAppointmentBody,
  ownDurationSchema,
  typedTimeSchema,
} from '#contract/appointments/owner-booking.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { dateSchema, paragraph } from '#contract/shared/primitives.ts'
import type { AskedTime } from './owner-booking-queries.ts'

/** What the dialog edits. A time is an offered one (`startsAt`) or, when `isTyped`, a clock time (`time`). */
export type NewAppointmentForm = {
  name: string
  email: string
  phone: string
  typeId: string
  /** Minutes as they are typed; for calendars without services. */
  duration: string
  date: string
  isTyped: boolean
  startsAt: string
  time: string
  notes: string
  notify: boolean
}

/** Length of an appointment when there is no service to say it (rules O5 and T7). */
const DEFAULT_DURATION = '30'

export function emptyForm(today: string): NewAppointmentForm {
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
    notes: '',
    notify: true,
  }
}

/** Whether nothing was typed, and no time was chosen. */
export function isUntouched({ name, email, phone, startsAt, time, notes }: NewAppointmentForm): boolean {
  return [name, email, phone, startsAt, time, notes].every((text) => text === '')
}

const { name, email, phone } = createOwnAppointmentBody.shape.customer.shape

/** Checks the form with the sentences of the server, which checks it again. */
export function newAppointmentForm({ hasTypes, isTyped }: { hasTypes: boolean; isTyped: boolean }) {
  return z.object({
    name,
    email: email.unwrap().unwrap(),
    phone: phone.unwrap().unwrap(),
    typeId: hasTypes ? z.string().min(1, 'booking.service_required') : z.string(),
    duration: hasTypes ? z.string() : z.string().refine(isDuration, 'booking.duration_invalid'),
    date: dateSchema,
    isTyped: z.boolean(),
    startsAt: isTyped ? z.string() : z.string().min(1, 'booking.time_required'),
    time: isTyped ? typedTimeSchema : z.string(),
    notes: paragraph(LIMITS.appointmentDescription),
    notify: z.boolean(),
  })
}

function isDuration(text: string): boolean {
  return ownDurationSchema.safeParse(text).success
}

/** The time that the form is about, or null while a part of it is missing. */
export function toAskedTime(form: NewAppointmentForm, hasTypes: boolean): AskedTime | null {
  const { typeId, duration, isTyped, startsAt, date, time } = form
  const isComplete = isTyped
    ? dateSchema.safeParse(date).success && typedTimeSchema.safeParse(time).success
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

/** The request that books a form without errors. `anyway` is the owner's answer to the server's question. */
export function toBody(
  form: NewAppointmentForm,
  { hasTypes, anyway }: { hasTypes: boolean; anyway: boolean },
): CreateOwnAppointmentBody {
  const when = form.isTyped ? { date: form.date, time: form.time } : { starts_at: form.startsAt }
  const what = hasTypes ? { appointment_type_id: form.typeId } : { duration: Number(form.duration) }
  return {
    ...what,
    ...when,
    description: form.notes || null,
    customer: { name: form.name, email: form.email || null, phone: form.phone || null },
    outside_hours: anyway,
    notify_customer: form.notify,
  }
}

/** The field of a refusal of the server. */
export const FIELD_OF_PATH: Readonly<Record<string, keyof NewAppointmentForm>> = {
  'customer.name': 'name',
  'customer.email': 'email',
  'customer.phone': 'phone',
  appointment_type_id: 'typeId',
  duration: 'duration',
  date: 'date',
  time: 'time',
  description: 'notes',
}
