import type { AppointmentRow } from '#contract/appointments/appointments.ts'
import { localDateOf, localTimeOf } from '#core/shared/zoned-time.ts'
import { listDialableNumbers } from '#server/platform/phone-numbers/parse-phone.ts'
import type { AppointmentListRow } from './repository.ts'

/**
 * Converts an appointment for a list. Its times are in the calendar's current zone, even if the zone was different when
 * the appointment was booked. Source: rule V2.
 */
export function toAppointmentRow(row: AppointmentListRow): AppointmentRow {
  const startsAtMs = row.starts_at.getTime()
  const agreed = {
    is_online: row.is_online,
    price: row.price_cents === null ? null : row.price_cents / 100,
    location: row.location_name === null ? null : { name: row.location_name, address: row.location_address },
  }
  return {
    id: row.id,
    calendar_id: row.calendar_id,
    calendar_name: row.calendar_name,
    calendar_color: row.calendar_color,
    date: localDateOf(startsAtMs, row.timezone),
    start_time: localTimeOf(startsAtMs, row.timezone),
    end_time: localTimeOf(row.ends_at.getTime(), row.timezone),
    starts_at: row.starts_at.toISOString(),
    ends_at: row.ends_at.toISOString(),
    time_zone: row.timezone,
    hour_cycle: row.hour_cycle,
    title: row.title,
    typed_title: row.typed_title,
    description: row.description,
    status: row.status,
    payment_status: row.payment_status,
    awaits_email_code: row.awaits_email_code && row.status === 'pending_payment',
    is_offer: row.is_offer && row.status === 'pending_payment',
    is_test: row.is_test,
    series:
      row.series_id === null || row.series_number === null
        ? null
        : { id: row.series_id, number: row.series_number },
    paid_in_sandbox: row.paid_in_sandbox,
    booking_reference: row.booking_reference,
    booked_by: row.booked_by,
    stripe_payment_intent_id: row.stripe_payment_intent_id,
    policy: row.policy,
    policy_text: row.policy_text,
    refund_shares: { most: row.most_refund_share, least: row.least_refund_share },
    cancellation_asked_at: row.cancellation_asked_at?.toISOString() ?? null,
    no_show: row.no_show_at !== null,
    refund: toRefund(row.refund),
    color: row.color,
    delay: { minutes: row.late_minutes, told: row.delays_told },
    session: row.session,
    has_answers: row.has_answers,
    undelivered_messages: row.undelivered_messages,
    waiting_messages: row.waiting_messages,
    customers: {
      id: row.customer_id,
      name: row.customer_name,
      email: row.email,
      phone: row.customer_phone,
      phone_numbers: [...listDialableNumbers(row.customer_phone, row.timezone)],
      client_id: row.client_id,
    },
    ...agreed,
    location_withdrawn: row.location_withdrawn,
    fee_note: row.fee_note,
    currency: row.currency,
    appointment_types:
      row.appointment_type_name === null ? null : { name: row.appointment_type_name, ...agreed },
  }
}

function toRefund(stored: AppointmentListRow['refund']): AppointmentRow['refund'] {
  if (stored === null) return null
  const { returnedCents, dueCents, percent, failure, isByHand } = stored
  return {
    returned: returnedCents / 100,
    due: dueCents === null ? null : dueCents / 100,
    percent,
    failure,
    by_hand: isByHand,
  }
}
