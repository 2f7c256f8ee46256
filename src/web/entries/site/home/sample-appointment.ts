import type { PublicAppointment } from '#contract/appointments/bookings.ts'
import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { Slot } from '#contract/slots/slots.ts'
import { DEFAULT_HOUR_CYCLE } from '#core/shared/hour-cycle.ts'
import type { BookingDraft } from '#web/areas/appointments/bookings/booking-draft.ts'
import { localDateOf } from '#web/shared/format-date.ts'
import { SAMPLE_PRACTICE } from './sample-practice.ts'

export type SampleBookingChoice = {
  readonly draft: BookingDraft
  readonly type: PublicAppointmentType
  readonly slot: Slot
  readonly timeZone: string
}

/** Returns the appointment that a booking of the sample would have created. */
export function toSampleAppointment({ draft, type, slot, timeZone }: SampleBookingChoice): PublicAppointment {
  const [firstName = null, lastName = null] = SAMPLE_PRACTICE.name.split(' ')
  return {
    id: 'sample',
    booking_reference: `BK-${Date.parse(slot.starts_at)}`,
    status: 'confirmed',
    payment_status: type.price === null ? 'not_required' : 'pending',
    confirm_email_until: null,
    date: localDateOf(slot.starts_at, timeZone),
    start_time: slot.slot_start,
    end_time: slot.slot_end,
    starts_at: slot.starts_at,
    ends_at: slot.ends_at,
    is_moved: false,
    time_zone: timeZone,
    hour_cycle: DEFAULT_HOUR_CYCLE,
    customer_time_zone: null,
    title: type.name,
    description: draft.notes.trim() || null,
    category: null,
    calendar_slug: 'sample',
    calendar_name: SAMPLE_PRACTICE.name,
    calendar_category: SAMPLE_PRACTICE.category,
    calendar_color: SAMPLE_PRACTICE.color,
    calendar_location: null,
    public_url: '',
    professional_first_name: firstName,
    professional_last_name: lastName,
    appointment_type_id: null,
    appointment_type_name: type.name,
    appointment_type_price: type.price,
    fee_note: type.fee_note,
    policy_text: null,
    move_until: null,
    cancel_until: slot.starts_at,
    price_note: null,
    is_online: type.is_online,
    location_name: type.location?.name ?? null,
    location_address: type.location?.address ?? null,
  }
}
