import type { PublicAppointment } from '#contract/appointments/bookings.ts'
import type { CustomerAppointment } from '#contract/appointments/customer-page.ts'

/** Makes the data of the page on which a customer manages an appointment. */
export function makeManagedAppointment(over: Partial<CustomerAppointment> = {}): CustomerAppointment {
  return {
    appointment: APPOINTMENT,
    standing: 'upcoming',
    moved_from: null,
    customer: { name: 'Grace Hopper', phone: null, email_hint: 'g•••@example.com' },
    cancellation: { way: 'by_request', until: null, refund: null, given_back: null, currency: 'eur' },
    can_change: true,
    has_title: true,
    following: [],
    is_confirmed: false,
    link_ends_at: '2027-04-05T09:30:00.000Z',
    ...over,
  }
}

const APPOINTMENT: PublicAppointment = {
  id: '00000000-0000-4000-8000-000000000501',
  booking_reference: 'BK-1764000000000',
  status: 'confirmed',
  payment_status: 'not_required',
  confirm_email_until: null,
  date: '2027-01-05',
  start_time: '09:00:00',
  end_time: '09:30:00',
  starts_at: '2027-01-05T09:00:00.000Z',
  ends_at: '2027-01-05T09:30:00.000Z',
  is_moved: false,
  time_zone: 'Europe/London',
  hour_cycle: 'h12',
  customer_time_zone: 'Europe/London',
  title: 'My back',
  description: null,
  category: null,
  calendar_slug: 'dr-grey',
  calendar_name: 'Dr. Grey',
  calendar_category: null,
  calendar_color: '#3498db',
  calendar_location: null,
  public_url: 'http://localhost:3000/book/dr-grey',
  professional_first_name: 'Meredith',
  professional_last_name: 'Grey',
  appointment_type_id: null,
  appointment_type_name: null,
  appointment_type_price: null,
  fee_note: null,
  policy_text: null,
  move_until: '2027-01-04T09:00:00.000Z',
  cancel_until: '2027-01-05T09:00:00.000Z',
  price_note: null,
  is_online: false,
  location_name: null,
  location_address: null,
}
