import { z } from 'zod'
import { overlappingAppointment } from '#contract/calendars/people.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { emailAddressSchema } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  clockTimeSchema,
  dateSchema,
  hourCycleSchema,
  idSchema,
  instantInputSchema,
  instantSchema,
  multilineTextSchema,
  singleLineSchema,
  storableTextSchema,
} from '#contract/shared/primitives.ts'
import { reachedLimitSchema } from '#contract/slots/booking-limits.ts'
import { movedSchema } from '#contract/slots/slots.ts'
import { START_REASONS } from '#core/slots/explain-start.ts'
import { createBookingResponse } from './bookings.ts'
import { answersInput } from './questions.ts'

/** A local time of day, `HH:MM`. */
export const localTimeSchema = storableTextSchema().regex(
  /^([01]\d|2[0-3]):[0-5]\d$/,
  'booking.time_required',
)

/** A start that an owner chooses, when booking or moving an appointment. */
export const ownerChosenStartSchema = instantInputSchema({
  unreadable: 'booking.time_required',
  tooEarly: 'booking.too_long_ago',
  tooLate: 'booking.too_far_ahead',
})

/** The duration of an appointment without a type, in minutes. Source: rule O5. */
export const customDurationSchema = z.coerce
  .number('booking.duration_invalid')
  .int('booking.duration_invalid')
  .min(LIMITS.typeDurationMin, 'booking.duration_invalid')
  .max(LIMITS.ownDurationMax, 'booking.duration_invalid')

/**
 * The start of an appointment: either an instant, or a date and a local time in the calendar's time zone, which the server
 * converts (a clock change can skip or repeat a local hour). In whole minutes. Source: rule O4.
 */
const whenShape = {
  appointment_type_id: idSchema.nullish(),
  starts_at: ownerChosenStartSchema.optional(),
  date: dateSchema.optional(),
  time: localTimeSchema.optional(),
  /** Only for appointments without a type; a type has its own duration. */
  duration: customDurationSchema.optional(),
}
type When = z.output<z.ZodObject<typeof whenShape>>

export const SECONDS_REFUSED = 'Please enter a time without seconds.'

export function isWholeMinute(instant: string): boolean {
  return Date.parse(instant) % 60_000 === 0
}

function refineWhen({ starts_at, date, time, duration, appointment_type_id }: When, refine: z.RefinementCtx) {
  const isOffered = starts_at !== undefined && date === undefined && time === undefined
  const isTyped = starts_at === undefined && date !== undefined && time !== undefined
  if (!isOffered && !isTyped) refine.addIssue({ code: 'custom', message: 'booking.time_required' })
  if (starts_at !== undefined && !isWholeMinute(starts_at)) {
    refine.addIssue({ code: 'custom', path: ['starts_at'], message: SECONDS_REFUSED })
  }
  if (duration !== undefined && appointment_type_id) {
    refine.addIssue({
      code: 'custom',
      path: ['duration'],
      message: 'The appointment type sets the duration.',
    })
  }
}

/** A request that checks whether a time is available before the owner books it. */
export const appointmentTimeCheckQuery = z.object(whenShape).superRefine(refineWhen)

const { starts_at, date, time } = whenShape
/**
 * A request that checks whether a time is available before the owner moves an appointment there. The appointment determines the
 * duration.
 */
export const moveTimeCheckQuery = z
  .object({ starts_at, date, time, moved: movedSchema })
  .superRefine(refineWhen)

/** Whether customers are offered a time, and if not, everything that speaks against it. */
export const appointmentTimeCheckResponse = componentSchema('AppointmentTime', {
  starts_at: instantSchema,
  ends_at: instantSchema,
  time_zone: z.string(),
  hour_cycle: hourCycleSchema,
  /**
   * How the local time was converted. `skipped`: it does not exist, because the clocks go forward. `repeated`: it occurs twice,
   * because the clocks go back, and the first one is used. Source: rule O4.
   */
  reading: z.enum(['once', 'skipped', 'repeated']),
  /** Most important first; empty if customers are offered the time. The owner can override some of them. Source: rule O2. */
  reasons: z.array(z.enum(START_REASONS)),
  /** The external calendar's event that makes the time busy. Source: rule G6. */
  external_event: z.object({ title: z.string().nullable(), calendar_name: z.string() }).nullable(),
  /** The conflicting appointment on this or another calendar of the same person. Source: rule T43. */
  conflicting_appointment: overlappingAppointment.nullable(),
  /**
   * The buffer in minutes, when the time conflicts only with the buffer around another event; null otherwise. Source: rule O3.
   */
  buffer_minutes: z.int().nullable(),
  /** The limits that leave no room for the appointment. Source: rule T53. */
  reached_limits: z.array(reachedLimitSchema),
  /** The dates on which customers can book, in the calendar's zone; null where nothing bounds them. Source: rule T70. */
  bookable_dates: z.object({
    from: dateSchema.nullable(),
    until: dateSchema.nullable(),
    /** True when the appointment type has a booking window of its own. */
    is_of_type: z.boolean(),
  }),
  /** The special days that the time is outside of, with the owner's note or else the one to customers. Source: rule T36. */
  special_day: z
    .object({
      note: z.string().nullable(),
      hours: z.array(z.object({ start_time: clockTimeSchema, end_time: clockTimeSchema })),
    })
    .nullable(),
  /** The first external calendars that cannot be checked, with their last reading; null if there was none. Source: rule G8. */
  unchecked_calendars: z.array(
    z.object({ name: z.string(), account_name: z.string(), read_at: instantSchema.nullable() }),
  ),
})
export type AppointmentTimeCheck = z.infer<typeof appointmentTimeCheckResponse>

/** A booking by the owner for a customer. The server determines price, status and location. Source: rule B3. */
export const createOwnAppointmentBody = z
  .object({
    ...whenShape,
    title: singleLineSchema(LIMITS.appointmentTitle).nullish(),
    description: multilineTextSchema(LIMITS.appointmentDescription).nullish(),
    customer: z.object(
      {
        name: singleLineSchema(LIMITS.personName, 'booking.customer_name_required').min(
          1,
          'booking.customer_name_required',
        ),
        /** Optional, because a customer who books by phone may not give an email address. */
        email: singleLineSchema(LIMITS.email)
          .pipe(z.union([z.literal(''), emailAddressSchema], 'auth.invalid_email'))
          .nullish(),
        phone: singleLineSchema(LIMITS.phone).nullish(),
      },
      'booking.customer_name_required',
    ),
    /** What the customer told the owner. No answer is required. Source: rule B35. */
    answers: answersInput.nullish(),
    /**
     * True when the owner confirmed a time that customers are not offered: outside opening hours, off the grid, too long, or in
     * the past.
     */
    outside_hours: z.boolean().default(false),
    notify_customer: z.boolean().default(true),
  })
  .superRefine(refineWhen)
  .meta({ id: 'NewOwnAppointment' })
export type CreateOwnAppointmentBody = z.input<typeof createOwnAppointmentBody>

export const createOwnAppointmentResponse = createBookingResponse
  .extend({
    /**
     * True when a confirmation email is sent: the customer has an email address, the owner wants the email, and the appointment
     * has not started. Source: rule O8.
     */
    confirmation_email_wanted: z.boolean(),
    /** A sentence about something that the owner has to check. */
    warning: z.string().nullable(),
  })
  .meta({ id: 'BookedOwnAppointment' })
export type CreateOwnAppointmentResponse = z.infer<typeof createOwnAppointmentResponse>

export const customersQuery = z.object({ search: singleLineSchema(LIMITS.customerSearch).default('') })

export const customersResponse = componentSchema('Customers', {
  customers: z.array(
    z.object({
      id: idSchema,
      client_id: z.string(),
      name: z.string(),
      email: z.string().nullable(),
      phone: z.string().nullable(),
    }),
  ),
})
export type CustomersResponse = z.infer<typeof customersResponse>
export type CustomerMatch = CustomersResponse['customers'][number]
