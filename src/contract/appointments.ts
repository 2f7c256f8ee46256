import { z } from 'zod'
import { appointmentStatus, paymentStatus } from './bookings.ts'
import { clockSchema, dateSchema, idSchema, instantSchema } from './primitives.ts'

export const appointmentFilter = z.enum(['upcoming', 'past', 'all'])
export type AppointmentFilter = z.infer<typeof appointmentFilter>

export const appointmentsQuery = z.object({
  filter: appointmentFilter.default('upcoming'),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
})

/** A row of the owner's list (spec §3 "Appointment" with its joins). Times are in the calendar's present zone. */
export const appointmentRowSchema = z.object({
  id: idSchema,
  calendar_id: idSchema,
  calendar_name: z.string(),
  date: dateSchema,
  start_time: clockSchema,
  end_time: clockSchema,
  starts_at: instantSchema,
  ends_at: instantSchema,
  time_zone: z.string(),
  title: z.string(),
  description: z.string().nullable(),
  status: appointmentStatus,
  payment_status: paymentStatus,
  booking_reference: z.string(),
  /** Who made it: the customer on the public page, or the owner for somebody who phoned. */
  booked_by: z.enum(['customer', 'owner']),
  stripe_payment_intent_id: z.string().nullable(),
  customers: z.object({
    name: z.string(),
    /** Who phoned may have given none. */
    email: z.string().nullable(),
    phone: z.string().nullable(),
    client_id: z.string(),
  }),
  appointment_types: z
    .object({
      name: z.string(),
      is_online: z.boolean(),
      price: z.number().nullable(),
      location: z.object({ name: z.string(), address: z.string().nullable() }).nullable(),
    })
    .nullable(),
})
export type AppointmentRow = z.infer<typeof appointmentRowSchema>

export const appointmentsResponse = z.object({
  appointments: z.array(appointmentRowSchema),
  total: z.number().int(),
  page: z.number().int(),
  page_size: z.number().int(),
})
export type AppointmentsResponse = z.infer<typeof appointmentsResponse>

/** The next appointments across all calendars of the owner, for the dashboard. */
export const upcomingAppointmentsResponse = z.object({
  appointments: z.array(appointmentRowSchema),
  total: z.number().int(),
})
export type UpcomingAppointmentsResponse = z.infer<typeof upcomingAppointmentsResponse>
