import { z } from 'zod'
import { appointmentStatus, paymentStatus } from '#contract/appointments/bookings.ts'
import { messageState } from '#contract/messages/messages.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { dateSchema, idSchema, instantSchema } from '#contract/shared/primitives.ts'

/** An export of everything that a calendar stores about a customer. Source: rule R10. */
export const customerExportSchema = componentSchema('OwnRecord', {
  exported_at: instantSchema,
  calendar: z.object({ name: z.string(), booking_link: z.string() }),
  customer: z.object({
    client_id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    phone: z.string().nullable(),
    created_at: instantSchema,
  }),
  waiting_list: z.array(
    z.object({
      state: z.string(),
      name: z.string(),
      phone: z.string().nullable(),
      service: z.string().nullable(),
      from_date: dateSchema,
      to_date: dateSchema,
      weekdays: z.array(z.int()),
      day_parts: z.array(z.string()),
      created_at: instantSchema,
    }),
  ),
  appointments: z.array(
    z.object({
      id: idSchema,
      booking_reference: z.string(),
      status: appointmentStatus,
      payment_status: paymentStatus,
      starts_at: instantSchema,
      ends_at: instantSchema,
      time_zone: z.string(),
      name: z.string(),
      phone: z.string().nullable(),
      own_time_zone: z.string().nullable(),
      title: z.string(),
      notes: z.string().nullable(),
      service: z.string().nullable(),
      price: z.number().nullable(),
      fee_note: z.string().nullable(),
      currency: z.string(),
      is_online: z.boolean(),
      location_name: z.string().nullable(),
      location_address: z.string().nullable(),
      booked_by: z.enum(['customer', 'owner']),
      created_at: instantSchema,
      updated_at: instantSchema,
      /** The value is null for a private answer, except in the owner's export. Source: rule B36. */
      answers: z.array(
        z.object({ label: z.string(), is_private: z.boolean(), value: z.array(z.string()).nullable() }),
      ),
      messages: z.array(
        z.object({ kind: z.string(), state: messageState, sent_at: instantSchema.nullable() }),
      ),
      payments: z.array(
        z.object({
          amount: z.number(),
          refunded: z.number(),
          currency: z.string(),
          provider: z.string(),
          status: z.string(),
          created_at: instantSchema,
        }),
      ),
    }),
  ),
})
export type CustomerExport = z.infer<typeof customerExportSchema>
