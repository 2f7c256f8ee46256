import type { Policy } from '#core/appointments/policy.ts'
import type { HourCycle } from '#core/shared/hour-cycle.ts'
import type { AppointmentStatus, PaymentStatus } from '#server/platform/db/schema.ts'
import type { CalendarAddressRow } from '#server/records/hostnames/to-calendar-address.ts'

/** An appointment with its calendar, the calendar's owner and the customer: for the customer's page and for emails. */
export type Appointment = CalendarAddressRow & {
  readonly id: string
  readonly calendar_id: string
  readonly booking_reference: string
  readonly status: AppointmentStatus
  readonly payment_status: PaymentStatus
  readonly paid_in_sandbox: boolean
  readonly starts_at: Date
  readonly ends_at: Date
  readonly time_zone: string
  readonly customer_time_zone: string | null
  readonly customer_id: string
  readonly customer_name: string
  readonly customer_email: string | null
  readonly customer_phone: string | null
  /** When the customer's data was erased; null when it was not. Source: rule R11. */
  readonly customer_erased_at: Date | null
  /** How many times the signed link has been replaced. Source: rule R1. */
  readonly link_rotation: number
  readonly appointment_type_id: string | null
  readonly appointment_type_name: string | null
  readonly price_cents: number | null
  readonly fee_note: string | null
  readonly currency: string
  readonly hold_expires_at: Date | null
  readonly awaits_email_code: boolean
  /** When the expired hold released its time; null while it occupies its time. */
  readonly released_at: Date | null
  readonly title: string
  readonly description: string | null
  readonly is_online: boolean
  readonly location_name: string | null
  readonly location_address: string | null
  readonly sequence: number
  readonly booked_by: 'customer' | 'owner'
  /** True when the appointment's event in an external calendar has to be written. */
  readonly needs_google_sync: boolean
  readonly moved_at: Date | null
  /** The appointment's start before it was last moved. */
  readonly moved_from: Date | null
  /** The policy under which the appointment was booked. Source: rule Q7. */
  readonly policy: Policy | null
  readonly policy_text: string | null
  /** The series that it belongs to; null for a single appointment. */
  readonly series_id: string | null
  /** The group session in which it has a seat, if any. */
  readonly session_id: string | null
  readonly most_refund_share: number | null
  readonly least_refund_share: number | null
  readonly refund_due_cents: number | null
  readonly refund_percent: number | null
  readonly cancelled_by: 'customer' | 'owner' | null
  readonly created_at: Date
  readonly updated_at: Date
  readonly calendar_name: string
  readonly hour_cycle: HourCycle
  /** The name of the calendar's primary location. */
  readonly calendar_location: string | null
  readonly default_appointment_title: string | null
  readonly appointment_title_required: boolean
  readonly color: string
  readonly category: string | null
  readonly professional_first_name: string | null
  readonly professional_last_name: string | null
  readonly reminder_settings: Record<string, unknown>
  readonly owner_name: string
  readonly owner_email: string
  /** The time zones of all calendars of the owner. */
  readonly owner_zones: string[]
  readonly notify_bookings: boolean
  readonly notify_cancellation_requests: boolean
  readonly notify_cancellations: boolean
}

/** The columns of a new appointment that are known right after the insert. */
export type InsertedAppointment = Pick<
  Appointment,
  | 'id'
  | 'calendar_id'
  | 'booking_reference'
  | 'status'
  | 'payment_status'
  | 'paid_in_sandbox'
  | 'starts_at'
  | 'ends_at'
  | 'time_zone'
  | 'customer_time_zone'
  | 'customer_email'
  | 'link_rotation'
  | 'appointment_type_id'
  | 'appointment_type_name'
  | 'price_cents'
  | 'fee_note'
  | 'policy'
  | 'policy_text'
  | 'hold_expires_at'
  | 'awaits_email_code'
  | 'released_at'
  | 'title'
  | 'description'
  | 'is_online'
  | 'location_name'
  | 'location_address'
  | 'series_id'
  | 'sequence'
  | 'booked_by'
  | 'needs_google_sync'
  | 'moved_from'
  | 'created_at'
>

/**
 * A new appointment and its calendar: enough for the response to a booking, the link to the appointment, its first
 * messages and its payment. A booking has these data from the rows that it locked and inserted, so it need not select
 * the appointment again.
 */
export type BookedAppointment = InsertedAppointment &
  Pick<
    Appointment,
    | 'slug'
    | 'calendar_name'
    | 'hour_cycle'
    | 'calendar_location'
    | 'category'
    | 'color'
    | 'professional_first_name'
    | 'professional_last_name'
    | 'domain_settings'
    | 'live_host'
  >
