import { z } from 'zod'
import { overlappingAppointment } from '#contract/calendars/people.ts'
import { emailAddress } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  anyInstant,
  anyText,
  dateSchema,
  idSchema,
  instantSchema,
  line,
  paragraph,
} from '#contract/shared/primitives.ts'
import { START_WARNINGS } from '#core/slots/check-start.ts'
import { createBookingResponse } from './bookings.ts'

/** A clock reading to the minute, `HH:MM`. */
export const typedTimeSchema = anyText().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'booking.time_required')

/** The length of an appointment without a type, in minutes. Source: rule O5. */
export const ownDurationSchema = z.coerce
  .number('booking.duration_invalid')
  .int('booking.duration_invalid')
  .min(LIMITS.typeDurationMin, 'booking.duration_invalid')
  .max(LIMITS.ownDurationMax, 'booking.duration_invalid')

/**
 * When an appointment begins: an offered instant, or a date and a clock time in the calendar's zone, which the server
 * reads (an hour may be missing or come twice). One of the two, to the minute. Source: rule O4.
 */
const whenShape = {
  appointment_type_id: idSchema.nullish(),
  starts_at: anyInstant({
    unreadable: 'booking.time_required',
    tooEarly: 'booking.too_long_ago',
    tooLate: 'booking.too_far_ahead',
  }).optional(),
  date: dateSchema.optional(),
  time: typedTimeSchema.optional(),
  /** Only without a type: a type says how long it takes. */
  duration: ownDurationSchema.optional(),
}
type When = z.output<z.ZodObject<typeof whenShape>>

function refineWhen({ starts_at, date, time, duration, appointment_type_id }: When, refine: z.RefinementCtx) {
  const isOffered = starts_at !== undefined && date === undefined && time === undefined
  const isTyped = starts_at === undefined && date !== undefined && time !== undefined
  if (!isOffered && !isTyped) refine.addIssue({ code: 'custom', message: 'booking.time_required' })
  if (starts_at !== undefined && Date.parse(starts_at) % 60_000 !== 0) {
    refine.addIssue({ code: 'custom', path: ['starts_at'], message: 'Please give a time to the minute.' })
  }
  if (duration !== undefined && appointment_type_id) {
    refine.addIssue({
      code: 'custom',
      path: ['duration'],
      message: 'The appointment type says how long it takes.',
    })
  }
}

/** A question about a time before the owner books it. */
export const appointmentTimeQuery = z.object(whenShape).superRefine(refineWhen)

const { starts_at, date, time } = whenShape
/** A question about a time before the owner moves an appointment there: its length is known. */
export const moveTimeQuery = z.object({ starts_at, date, time }).superRefine(refineWhen)

/** How a time stands: free, or why not. For a free one, the concerns, the most important first. */
export const appointmentTimeResponse = z.object({
  starts_at: instantSchema,
  ends_at: instantSchema,
  time_zone: z.string(),
  /**
   * `skipped`: the clocks go forward over what was typed; `repeated`: they go back, and the first one is meant.
   * Source: rule O4.
   */
  reading: z.enum(['once', 'skipped', 'repeated']),
  standing: z.enum(['free', 'busy', 'location_taken', 'too_long_ago', 'too_far_ahead']),
  concerns: z.array(z.enum(START_WARNINGS)),
  /** The event of an external calendar that makes the time busy. Source: rule G6. */
  external_event: z.object({ title: z.string().nullable(), calendar_name: z.string() }).nullable(),
  /** The appointment on another calendar of the same person that stands in the way. Source: rule T43. */
  appointment_elsewhere: overlappingAppointment.nullable(),
  /** The buffer, where the time itself is free and only the buffer around something else reaches into it. Source: rule O3. */
  buffer_minutes: z.int().nullable(),
})
export type AppointmentTime = z.infer<typeof appointmentTimeResponse>

/** What an owner sends to book for somebody. The server sets price, status and location here, too. Source: rule B3. */
export const createOwnAppointmentBody = z
  .object({
    ...whenShape,
    title: line(LIMITS.appointmentTitle).nullish(),
    description: paragraph(LIMITS.appointmentDescription).nullish(),
    customer: z.object(
      {
        name: line(LIMITS.personName, 'booking.customer_name_required').min(
          1,
          'booking.customer_name_required',
        ),
        /** A customer who phones may have none. */
        email: line(LIMITS.email)
          .pipe(z.union([z.literal(''), emailAddress], 'auth.invalid_email'))
          .nullish(),
        phone: line(LIMITS.phone).nullish(),
      },
      'booking.customer_name_required',
    ),
    /** The owner was asked and said yes: outside hours, off the grid, too long, or already begun. */
    outside_hours: z.boolean().default(false),
    notify_customer: z.boolean().default(true),
  })
  .superRefine(refineWhen)
export type CreateOwnAppointmentBody = z.input<typeof createOwnAppointmentBody>

export const createOwnAppointmentResponse = createBookingResponse.extend({
  /**
   * Whether there was a confirmation to send: to an address, when the owner wanted it, and before the beginning.
   * Source: rule O8.
   */
  confirmation_email_wanted: z.boolean(),
  /** A sentence about something that the owner has to check by hand. */
  warning: z.string().nullable(),
})
export type CreateOwnAppointmentResponse = z.infer<typeof createOwnAppointmentResponse>

export const customersQuery = z.object({ search: line(LIMITS.customerSearch).default('') })

export const customersResponse = z.object({
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
