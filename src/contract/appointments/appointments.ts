import { z } from 'zod'
import { calendarParams } from '#contract/calendars/calendars.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { dialableNumberSchema } from '#contract/shared/phone-number.ts'
import {
  clockSchema,
  colorSchema,
  dateSchema,
  idOf,
  idSchema,
  instantSchema,
  line,
} from '#contract/shared/primitives.ts'
import { appointmentStatus, paymentStatus } from './bookings.ts'
import { policySchema } from './policies.ts'

/** One appointment of a calendar of the owner. */
export const ownAppointmentParams = calendarParams.extend({ appointment_id: idOf('appointment.not_found') })

export const appointmentFilter = z.enum(['upcoming', 'past', 'all'])
export type AppointmentFilter = z.infer<typeof appointmentFilter>

const searchText = line(LIMITS.appointmentSearch).default('')

export const appointmentsQuery = z.object({
  filter: appointmentFilter.default('upcoming'),
  page: z.coerce.number<number>().int().min(1).max(LIMITS.pages).default(1),
  /**
   * Part of a name, an email address, a client number or a phone number, or the beginning of a booking reference.
   * Source: rule V3.
   */
  search: searchText,
})

/** The download has what the list shows, all pages of it. Source: rule V9. */
export const appointmentsExportQuery = appointmentsQuery.omit({ page: true })

const rowLocationSchema = z.object({ name: z.string(), address: z.string().nullable() }).nullable()

const refundShare = z.number().int().min(0).max(100).nullable()

/** A row of the owner's list (rule V2). Times are in the calendar's present zone. */
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
  /** What somebody wrote into the title; null when it is the name of the type, or the template. Source: rule Y11. */
  typed_title: z.string().nullable(),
  description: z.string().nullable(),
  status: appointmentStatus,
  payment_status: paymentStatus,
  /** The time is held until the customer types the code that was sent to their email address. */
  awaits_email_code: z.boolean(),
  /** It is held because it was offered to somebody on the waiting list, who has yet to answer. */
  is_offer: z.boolean(),
  /** The payment provider's account moves no real money. */
  paid_in_sandbox: z.boolean(),
  booking_reference: z.string(),
  /** Who booked it: the customer on the public page, or the owner for somebody who phoned. */
  booked_by: z.enum(['customer', 'owner']),
  stripe_payment_intent_id: z.string().nullable(),
  /** The agreed service, also where the calendar had no type to choose from. Source: rule B12. */
  is_online: z.boolean(),
  price: z.number().nullable(),
  /** ISO 4217, in small letters. */
  currency: z.string(),
  location: rowLocationSchema,
  /** The owner of its location no longer shares it, so the appointment does not reserve it. Source: rule L11. */
  location_withdrawn: z.boolean(),
  /** The present colour of its type; where that is gone or there is none, the colour of the calendar. Source: rule Y12. */
  color: colorSchema,
  /** What the customer was told about a later beginning. Source: rule Y4. */
  delay: z.object({
    /** Of the latest message; null when there was none. */
    minutes: z.number().int().nullable(),
    /** How many messages there were. */
    told: z.number().int(),
  }),
  /** Under which it was booked, and the sentences that the customer read. Null when there were no policies yet. Source: rule Q7. */
  policy: policySchema.nullable(),
  policy_text: z.string().nullable(),
  /** What moves have left of the shares of its refund table, in percent; null where nothing but the table decides. Source: rule Q8. */
  refund_shares: z.object({ most: refundShare, least: refundShare }),
  /** When the customer asked to cancel it. */
  cancellation_asked_at: instantSchema.nullable(),
  /** The customer did not come. Source: rule Q11. */
  no_show: z.boolean(),
  /** Of its payment, in units of `currency`; null when none came in. */
  refund: z
    .object({
      /** What has gone back. */
      returned: z.number(),
      /** What its cancellation gives back in all; null when none has decided that. */
      due: z.number().nullable(),
      /** The share of the policy that this is; null when the owner chose the amount. */
      percent: z.number().int().nullable(),
      /** Why it has not gone back, in the words of the provider. */
      failure: z.string().nullable(),
      /** No provider took the money: the owner returns it. */
      by_hand: z.boolean(),
    })
    .nullable(),
  /** Messages about it that were given up. */
  undelivered_messages: z.number().int(),
  /** Messages about it that wait to be sent. */
  waiting_messages: z.number().int(),
  customers: z.object({
    id: idSchema,
    name: z.string(),
    /** A customer who phoned may have given none. */
    email: z.string().nullable(),
    /** As it was typed. */
    phone: z.string().nullable(),
    phone_numbers: z.array(dialableNumberSchema),
    client_id: z.string(),
  }),
  appointment_types: z
    .object({
      name: z.string(),
      is_online: z.boolean(),
      price: z.number().nullable(),
      location: rowLocationSchema,
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

/** Messages that were given up, about appointments that are not over. */
export const undeliveredMessagesResponse = z.object({
  /** Of all these appointments. */
  messages: z.number().int(),
  /** Those they are about, earliest first; when there are very many, the first of them. */
  appointments: z.array(appointmentRowSchema),
})
export type UndeliveredMessagesResponse = z.infer<typeof undeliveredMessagesResponse>

/** Days in a row of the calendar's present zone. */
export const agendaQuery = z.object({
  from: dateSchema,
  days: z.coerce.number<number>().int().min(1).max(LIMITS.agendaDays).default(LIMITS.agendaDays),
})

const stretchSchema = z.object({ starts_at: instantSchema, ends_at: instantSchema })

/** One calendar day in its real length: 23 or 25 hours when the clocks change. */
export const agendaDaySchema = stretchSchema.extend({
  date: dateSchema,
  /** When the clocks of the zone read 12:00. */
  noon_at: instantSchema,
  /** Weekly opening hours on this day. */
  openings: z.array(stretchSchema),
})
export type AgendaDay = z.infer<typeof agendaDaySchema>

export const agendaResponse = z.object({
  time_zone: z.string(),
  days: z.array(agendaDaySchema),
  /** Everything that touches these days, earliest first. */
  appointments: z.array(appointmentRowSchema),
  /** False when there are more than can be shown at once; cancelled ones are left out first. */
  is_complete: z.boolean(),
})
export type AgendaResponse = z.infer<typeof agendaResponse>

/** The next appointments across all calendars of the owner, for the dashboard. */
export const upcomingAppointmentsResponse = z.object({
  appointments: z.array(appointmentRowSchema),
  total: z.number().int(),
  /** Those to come whose customer asked to cancel and waits for an answer. Source: rule Y9. */
  cancellation_requests: z.object({
    total: z.number().int(),
    /** The first of them. */
    appointments: z.array(appointmentRowSchema),
  }),
})
export type UpcomingAppointmentsResponse = z.infer<typeof upcomingAppointmentsResponse>

/** Today and what comes next, over all calendars of the owner (rule Y1). */
export const ownerDayResponse = z.object({
  /** When this was so. */
  as_of: instantSchema,
  /** From the beginning of each calendar's today, earliest first. Cancelled ones are left out. */
  appointments: z.array(appointmentRowSchema),
})
export type OwnerDayResponse = z.infer<typeof ownerDayResponse>

/** How much later an appointment may be said to begin, in minutes. Source: rule Y4. */
export const DELAY_MINUTES = [5, 10, 15, 20, 30, 45, 60] as const
/** Messages about a later beginning of one appointment. Source: rule Y5. */
export const MAX_DELAYS_TOLD = 3

export const tellDelayBody = z.object({
  minutes: z.literal(DELAY_MINUTES),
  /** How many messages about a delay the owner saw, so that a second press asks for the same one. Source: rule Y5. */
  told: z.number().int().min(0).max(MAX_DELAYS_TOLD),
})
export type TellDelayBody = z.input<typeof tellDelayBody>
export const tellDelayResponse = appointmentRowSchema.shape.delay
