import { z } from 'zod'
import { calendarParams } from '#contract/calendars/calendars.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { dialableNumberSchema } from '#contract/shared/phone-number.ts'
import {
  clockTimeSchema,
  colorSchema,
  dateSchema,
  hourCycleSchema,
  idSchema,
  idSchemaWithError,
  instantSchema,
  singleLineSchema,
} from '#contract/shared/primitives.ts'
import { shownZone } from '#contract/slots/slots.ts'
import { appointmentStatus, paymentStatus } from './bookings.ts'
import { policySchema } from './policies.ts'

/** The path parameters of an owner's appointment. */
export const ownerAppointmentParams = calendarParams.extend({
  appointment_id: idSchemaWithError('appointment.not_found'),
})

/** The path parameter of an appointment on any of the owner's calendars. */
export const anyAppointmentParams = ownerAppointmentParams.pick({ appointment_id: true })

export const appointmentFilter = z.enum(['upcoming', 'past', 'all'])
export type AppointmentFilter = z.infer<typeof appointmentFilter>

const searchText = singleLineSchema(LIMITS.appointmentSearch).default('')

export const appointmentsQuery = z.object({
  filter: appointmentFilter.default('upcoming'),
  page: z.coerce.number<number>().int().min(1).max(LIMITS.pages).default(1),
  /**
   * Part of a name, an email address, a client number or a phone number, or the start of a booking reference. Source: rule V3.
   */
  search: searchText,
})

/** For the lists over all calendars: their time zone. The zone of the owner's newest calendar when absent. Source: rule V13. */
const listZone = { time_zone: shownZone }
export const allAppointmentsQuery = appointmentsQuery.extend(listZone)

/** The export contains the same appointments as the list, but is not divided into pages. Source: rule V9. */
export const appointmentsExportQuery = appointmentsQuery.omit({ page: true })
export const allAppointmentsExportQuery = appointmentsExportQuery.extend(listZone)

const rowLocationSchema = z.object({ name: z.string(), address: z.string().nullable() }).nullable()

const refundShare = z.number().int().min(0).max(100).nullable()

/** An appointment as its owner sees it (rule V2). Times are in the calendar's current time zone. */
export const appointmentRowSchema = componentSchema('OwnAppointment', {
  id: idSchema,
  calendar_id: idSchema,
  calendar_name: z.string(),
  calendar_color: colorSchema,
  date: dateSchema,
  start_time: clockTimeSchema,
  end_time: clockTimeSchema,
  starts_at: instantSchema,
  ends_at: instantSchema,
  time_zone: z.string(),
  hour_cycle: hourCycleSchema,
  title: z.string(),
  /** The title that a person typed; null when the title comes from the appointment type or the template. Source: rule Y11. */
  typed_title: z.string().nullable(),
  description: z.string().nullable(),
  status: appointmentStatus,
  payment_status: paymentStatus,
  /** True while the time is held until the customer enters the emailed code. */
  awaits_email_code: z.boolean(),
  /** True while the time is held for an unanswered offer to a customer on the waiting list. */
  is_offer: z.boolean(),
  /** True when the owner booked it to try a booking out; it counts nowhere. Source: rule U34. */
  is_test: z.boolean(),
  /** The series that it belongs to, and its number in it from 1; null for a single appointment. Source: rule B38. */
  series: z.object({ id: idSchema, number: z.int() }).nullable(),
  /** True when the payment was simulated. */
  paid_in_sandbox: z.boolean(),
  booking_reference: z.string(),
  /** `customer`: booked on the public page. `owner`: booked by the owner for a customer. */
  booked_by: z.enum(['customer', 'owner']),
  stripe_payment_intent_id: z.string().nullable(),
  /** As agreed at booking, even if the calendar had no appointment types then. Source: rule B12. */
  is_online: z.boolean(),
  price: z.number().nullable(),
  fee_note: z.string().nullable(),
  /** ISO 4217, in lower case. */
  currency: z.string(),
  location: rowLocationSchema,
  /**
   * True when the location's owner no longer shares it. The appointment then no longer reserves the location. Source: rule L11.
   */
  location_withdrawn: z.boolean(),
  /**
   * The current colour of its appointment type; the calendar's colour when it has no type or the type was deleted. Source: rule
   * Y12.
   */
  color: colorSchema,
  /** The messages to the customer about a delay. Source: rule Y4. */
  delay: componentSchema('Delay', {
    /** The delay in the latest message; null without such messages. */
    minutes: z.number().int().nullable(),
    /** The number of delay messages sent. */
    told: z.number().int(),
  }),
  /**
   * The policy under which the appointment was booked, and the policy's text as the customer read it. Null for bookings from
   * before policies existed. Source: rule Q7.
   */
  policy: policySchema.nullable(),
  policy_text: z.string().nullable(),
  /** Limits of the refund, in percent, that result from earlier moves; null when only the policy decides. Source: rule Q8. */
  refund_shares: z.object({ most: refundShare, least: refundShare }),
  /** When the customer requested the cancellation. */
  cancellation_asked_at: instantSchema.nullable(),
  /** True when the customer did not show up. Source: rule Q11. */
  no_show: z.boolean(),
  /** The refund of its payment, in units of `currency`; null when nothing was paid. */
  refund: z
    .object({
      /** The amount refunded so far. */
      returned: z.number(),
      /** The total refund due for the cancellation; null when there is none. */
      due: z.number().nullable(),
      /** The policy's refund percentage; null when the owner chose the amount. */
      percent: z.number().int().nullable(),
      /** The provider's reason why the refund failed. */
      failure: z.string().nullable(),
      /** True when the payment did not go through a provider, so that the owner has to refund it by hand. */
      by_hand: z.boolean(),
    })
    .nullable(),
  /** The session that the customer shares with others; null when the appointment has its time for itself. Source: rule B59. */
  session: componentSchema('SessionOfAppointment', {
    id: idSchema,
    appointment_type_id: idSchema,
    seats: z.number().int(),
    /** Includes seats that are held while their customers pay or decide. */
    seats_taken: z.number().int(),
  }).nullable(),
  /** True when the customer answered questions. Source: rule B36. */
  has_answers: z.boolean(),
  /** The number of messages that have failed permanently. */
  undelivered_messages: z.number().int(),
  /** The number of messages that are waiting to be sent. */
  waiting_messages: z.number().int(),
  customers: z.object({
    id: idSchema,
    name: z.string(),
    /** Null for customers without an email address, for example after a booking by phone. */
    email: z.string().nullable(),
    /** As the customer typed it. */
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

export const appointmentsResponse = componentSchema('Appointments', {
  appointments: z.array(appointmentRowSchema),
  total: z.number().int(),
  page: z.number().int(),
  page_size: z.number().int(),
})
export type AppointmentsResponse = z.infer<typeof appointmentsResponse>

/** Messages about current and future appointments that have failed permanently. */
export const undeliveredMessagesResponse = componentSchema('UndeliveredMessages', {
  /** The total number of failed messages. */
  messages: z.number().int(),
  /** The appointments of these messages, earliest first. The list is limited. */
  appointments: z.array(appointmentRowSchema),
})
export type UndeliveredMessagesResponse = z.infer<typeof undeliveredMessagesResponse>

/** A range of consecutive days in the calendar's current time zone. */
export const agendaQuery = z.object({
  from: dateSchema,
  days: z.coerce.number<number>().int().min(1).max(LIMITS.agendaDays).default(LIMITS.agendaDays),
})

export const allAppointmentsAgendaQuery = agendaQuery.extend(listZone)

const stretchSchema = z.object({ starts_at: instantSchema, ends_at: instantSchema })

/** A calendar day with its actual length: 23 or 25 hours when the clocks change. */
export const agendaDaySchema = stretchSchema
  .extend({
    date: dateSchema,
    /** The instant of noon in local time. */
    noon_at: instantSchema,
    /** The opening hours on this day; over several calendars, the times when at least one is open. */
    openings: z.array(stretchSchema),
  })
  .meta({ id: 'AgendaDay' })
export type AgendaDay = z.infer<typeof agendaDaySchema>

export const agendaResponse = componentSchema('Agenda', {
  time_zone: z.string(),
  hour_cycle: hourCycleSchema,
  days: z.array(agendaDaySchema),
  /** The appointments that overlap these days, earliest first. */
  appointments: z.array(appointmentRowSchema),
  /** False when some appointments were left out because there are too many. Cancelled ones are left out first. */
  is_complete: z.boolean(),
})
export type AgendaResponse = z.infer<typeof agendaResponse>

/** The next appointments across all of the owner's calendars, for the dashboard. */
export const upcomingAppointmentsResponse = componentSchema('UpcomingAppointments', {
  appointments: z.array(appointmentRowSchema),
  total: z.number().int(),
  /** Future appointments with an unanswered cancellation request. Source: rule Y9. */
  cancellation_requests: z.object({
    total: z.number().int(),
    /** The earliest of these appointments. */
    appointments: z.array(appointmentRowSchema),
  }),
})
export type UpcomingAppointmentsResponse = z.infer<typeof upcomingAppointmentsResponse>

/** Today's and the following appointments on all of the owner's calendars (rule Y1). */
export const ownerDayResponse = componentSchema('OwnerDay', {
  /** When the response was created. */
  as_of: instantSchema,
  /** From the start of today in each calendar's time zone, earliest first, excluding cancelled ones. */
  appointments: z.array(appointmentRowSchema),
})
export type OwnerDayResponse = z.infer<typeof ownerDayResponse>

/** The delays that an owner can announce to a customer, in minutes. Source: rule Y4. */
export const DELAY_NOTICE_MINUTES = [5, 10, 15, 20, 30, 45, 60] as const
/** Maximum number of delay messages for one appointment. Source: rule Y5. */
export const MAX_DELAY_NOTICES = 3

export const delayNoticeBody = componentSchema('TellDelay', {
  minutes: z.literal(DELAY_NOTICE_MINUTES),
  /** The number of delay messages that the owner saw. It makes a double click idempotent. Source: rule Y5. */
  told: z.number().int().min(0).max(MAX_DELAY_NOTICES),
})
export type DelayNoticeBody = z.input<typeof delayNoticeBody>
export const delayNoticeResponse = appointmentRowSchema.shape.delay
