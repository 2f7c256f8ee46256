import { z } from 'zod'
import { emailAddress } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import {
  anyInstant,
  clockSchema,
  dateSchema,
  idOf,
  idSchema,
  instantSchema,
  line,
  paragraph,
  startSeen,
} from '#contract/shared/primitives.ts'

export const appointmentStatus = z.enum(['confirmed', 'cancelled', 'pending_cancellation', 'pending_payment'])
export const paymentStatus = z.enum(['not_required', 'pending', 'paid', 'failed', 'refunded'])

/**
 * What a visitor sends to book. It has no price, status, location or end, because the server sets them. `time_zone` is
 * the visitor's own: their mails use it. Source: rule B3.
 */
export const createBookingBody = z.object({
  appointment_type_id: idSchema.nullish(),
  starts_at: anyInstant({
    unreadable: 'booking.incomplete',
    tooEarly: 'booking.slot_unavailable',
    tooLate: 'booking.slot_unavailable',
  }),
  time_zone: line(LIMITS.timeZone).nullish(),
  title: line(LIMITS.appointmentTitle).nullish(),
  description: paragraph(LIMITS.appointmentDescription).nullish(),
  customer: z.object(
    {
      name: line(LIMITS.personName, 'booking.incomplete').min(1, 'booking.incomplete'),
      email: line(LIMITS.email, 'booking.incomplete').min(1, 'booking.incomplete').pipe(emailAddress),
      phone: line(LIMITS.phone).nullish(),
    },
    'booking.incomplete',
  ),
  /**
   * The policy in the sentences that the customer read. When they are others by now, nothing is booked. Absent: whatever holds.
   * Source: rule Q7.
   */
  policy_text: paragraph(LIMITS.policyText).nullish(),
  /** From the booking form only: a field that no person sees, and how long the form was open, in milliseconds. */
  website: line(LIMITS.hiddenField).nullish(),
  form_open_ms: z.int().min(0).max(LIMITS.formOpenMs).nullish(),
})
export type CreateBookingBody = z.input<typeof createBookingBody>

/** For 24 hours, a request with this key and the same body gets the same answer. Source: rule X2. */
export const idempotencyHeaders = z.object({
  'idempotency-key': line(LIMITS.idempotencyKey).min(1).optional(),
})

/** A malformed id names no appointment, so the answer is that of an unknown one. Source: rule X3. */
export const appointmentLinkParams = z.object({ id: idOf('appointment.not_found') })

/** One appointment as whoever holds its id may see it (rule B18). No e-mail address, no phone, no client id. */
export const publicAppointmentSchema = z.object({
  id: idSchema,
  booking_reference: z.string(),
  status: appointmentStatus,
  payment_status: paymentStatus,
  /** Until when the time is held for a customer who has yet to type the code of an email; null when nobody has to. */
  confirm_email_until: instantSchema.nullable(),
  /** Local to `time_zone`, the calendar's zone when it was booked. */
  date: dateSchema,
  start_time: clockSchema,
  end_time: clockSchema,
  starts_at: instantSchema,
  ends_at: instantSchema,
  time_zone: z.string(),
  customer_time_zone: z.string().nullable(),
  title: z.string(),
  description: z.string().nullable(),
  category: z.string().nullable(),
  calendar_slug: z.string(),
  calendar_name: z.string(),
  calendar_category: z.string().nullable(),
  calendar_color: z.string(),
  /** The calendar's own location, when the appointment has none. */
  calendar_location: z.string().nullable(),
  public_url: z.string(),
  professional_first_name: z.string().nullable(),
  professional_last_name: z.string().nullable(),
  appointment_type_name: z.string().nullable(),
  appointment_type_price: z.number().nullable(),
  /** What the customer may change about it, as it was when it was booked. Null when there were no policies yet. Source: rule Q7. */
  policy_text: z.string().nullable(),
  /** What to say beside the price: that it was paid in a sandbox. */
  price_note: z.string().nullable(),
  is_online: z.boolean(),
  location_name: z.string().nullable(),
  location_address: z.string().nullable(),
})
export type PublicAppointment = z.infer<typeof publicAppointmentSchema>

export const createBookingResponse = publicAppointmentSchema.extend({
  /** False when the confirmation could not be queued. The booking stands all the same. Source: rule B17. */
  confirmation_email_queued: z.boolean(),
  /**
   * The signed link of the customer's own page, for whoever booked: nobody else gets it by the id. It is null for what an owner
   * booked. Source: rule R1.
   */
  manage_token: z.string().nullable(),
})
export type CreateBookingResponse = z.infer<typeof createBookingResponse>

/** What the customer saw when they asked to cancel. */
export const cancellationRequestQuery = z.object({ expected_starts_at: startSeen })

export const cancellationRequestResponse = z.object({
  id: idSchema,
  status: appointmentStatus,
  booking_reference: z.string(),
})
export type CancellationRequestResponse = z.infer<typeof cancellationRequestResponse>
