import type { Profile } from '#contract/accounts/profile.ts'
import type { Owner } from '#contract/accounts/sessions.ts'
import type {
  AgendaDay,
  AppointmentRow,
  UpcomingAppointmentsResponse,
} from '#contract/appointments/appointments.ts'
import type { Question } from '#contract/appointments/questions.ts'
import { type AppointmentType, appointmentTypeBody } from '#contract/availability/appointment-types.ts'
import type { CalendarLocation, Location } from '#contract/availability/locations.ts'
import type { Calendar, FutureAppointmentsSummary } from '#contract/calendars/calendars.ts'
import type { OverlappingAppointment, PeopleResponse } from '#contract/calendars/people.ts'
import type {
  CalendarConnection,
  ExternalCalendar,
  ExternalCalendars,
  ExternalChanges,
} from '#contract/external-calendars/external-calendars.ts'
import type { PaymentSettings } from '#contract/payments/payment-settings.ts'
import type { SubscriptionResponse } from '#contract/plans/subscription.ts'
import { toSlotSettings } from '#contract/slots/slot-settings.ts'
import { DEFAULT_POLICY } from '#core/appointments/policy.ts'
import { DEFAULT_SLOT_RULES } from '#core/slots/slot-rules.ts'

/** Distinct ids that are easy to recognise in a failing test. */
export const OWNER_ID = '00000000-0000-4000-8000-000000000001'
export const CALENDAR_ID = '00000000-0000-4000-8000-000000000101'

export function makeOwner(over: Partial<Owner> = {}): Owner {
  return {
    id: OWNER_ID,
    email: 'meredith@example.org',
    first_name: 'Meredith',
    last_name: 'Grey',
    full_name: 'Meredith Grey',
    avatar_url: null,
    ...over,
  }
}

export function makeCalendar(over: Partial<Calendar> = {}): Calendar {
  return {
    id: CALENDAR_ID,
    user_id: OWNER_ID,
    person: { id: OWNER_ID, name: 'Meredith Grey', is_owner: true },
    slug: 'dr-grey',
    name: 'Dr. Grey',
    description: 'Movement and back pain.',
    color: '#3498db',
    category: 'Therapist',
    professional_first_name: 'Meredith',
    professional_last_name: 'Grey',
    timezone: 'Europe/London',
    hour_cycle: 'h12',
    appointment_title_required: true,
    default_appointment_title: 'Appointment with {{calendar_name}}',
    payment_enabled: true,
    payment_required: false,
    email_confirmation_required: false,
    policy: DEFAULT_POLICY,
    takes_bookings: true,
    embed_sites: null,
    is_connected_to_google: false,
    reminder_settings: {
      enabled: true,
      hours: 24,
      template: 'Hello {customer_name}, see you on {date} at {time}.',
      sender_name: 'Dr. Grey',
      sender_email: 'appointments@localhost',
      subject: 'Reminder: Your upcoming appointment',
    },
    product_email: 'appointments@localhost',
    domain_settings: { type: 'path', path: null, subdomain: null, custom_domain: null },
    public_url: 'https://meridian.example/book/dr-grey',
    created_at: '2026-11-02T09:12:00Z',
    updated_at: '2026-11-02T09:12:00Z',
    ...over,
  }
}

/** Makes the owner with one calendar, and another person with two. */
export function makePeople(): PeopleResponse {
  return {
    people: [
      {
        id: OWNER_ID,
        name: 'Meredith Grey',
        is_owner: true,
        calendars: [{ id: CALENDAR_ID, name: 'Dr. Grey' }],
      },
      {
        id: '00000000-0000-4000-8000-000000000011',
        name: 'Jon Osei',
        is_owner: false,
        calendars: [
          { id: '00000000-0000-4000-8000-000000000102', name: 'Tenancy law' },
          { id: '00000000-0000-4000-8000-000000000103', name: 'Family law' },
        ],
      },
    ],
  }
}

export function makeOverlapping(over: Partial<OverlappingAppointment> = {}): OverlappingAppointment {
  return {
    id: '00000000-0000-4000-8000-000000000501',
    calendar_id: CALENDAR_ID,
    calendar_name: 'Dr. Grey',
    customer_name: 'Ada Lovelace',
    title: 'My back',
    starts_at: '2026-12-01T09:30:00Z',
    ends_at: '2026-12-01T10:15:00Z',
    time_zone: 'Europe/London',
    hour_cycle: 'h12',
    ...over,
  }
}

/** The slot settings of a new calendar. */
export const NEW_SLOT_SETTINGS = { ...toSlotSettings(DEFAULT_SLOT_RULES), booking_limits: [] }

export function makeOutlook(over: Partial<FutureAppointmentsSummary> = {}): FutureAppointmentsSummary {
  return { future_appointments: 0, without_email: 0, paid: 0, next_appointment: null, ...over }
}

export function makeAppointment(over: Partial<AppointmentRow> = {}): AppointmentRow {
  return {
    id: '00000000-0000-4000-8000-000000000501',
    calendar_id: CALENDAR_ID,
    calendar_name: 'Dr. Grey',
    calendar_color: '#3498db',
    date: '2026-12-01',
    start_time: '09:30:00',
    end_time: '10:15:00',
    starts_at: '2026-12-01T09:30:00Z',
    ends_at: '2026-12-01T10:15:00Z',
    time_zone: 'Europe/London',
    hour_cycle: 'h12',
    title: 'My back',
    typed_title: 'My back',
    description: 'Since last week.',
    status: 'confirmed',
    payment_status: 'not_required',
    paid_in_sandbox: false,
    booking_reference: 'BK-1764000000000',
    booked_by: 'customer',
    awaits_email_code: false,
    is_offer: false,
    is_test: false,
    series: null,
    stripe_payment_intent_id: null,
    is_online: false,
    price: 40,
    fee_note: null,
    currency: 'eur',
    location: { name: 'Harley Street Practice', address: '10 Harley Street, London' },
    location_withdrawn: false,
    color: '#8e44ad',
    policy: null,
    policy_text: null,
    refund_shares: { most: null, least: null },
    cancellation_asked_at: null,
    no_show: false,
    refund: null,
    delay: { minutes: null, told: 0 },
    session: null,
    has_answers: false,
    undelivered_messages: 0,
    waiting_messages: 0,
    customers: {
      id: '77777777-7777-4777-8777-777777777777',
      name: 'Ada Lovelace',
      email: 'ada@example.org',
      phone: '+44 20 7946 0958',
      phone_numbers: [{ typed: '+44 20 7946 0958', dials: '+442079460958' }],
      client_id: 'C1764000000000',
    },
    appointment_types: {
      name: 'First consultation',
      is_online: false,
      price: 40,
      location: { name: 'Harley Street Practice', address: '10 Harley Street, London' },
    },
    ...over,
  }
}

export function makeQuestion(over: Partial<Question> = {}): Question {
  return {
    id: '00000000-0000-4000-8000-000000000901',
    appointment_type_id: null,
    kind: 'text',
    label: 'What brings you here?',
    help: null,
    is_required: false,
    is_private: false,
    choices: [],
    shown_if: null,
    ...over,
  }
}

/** Makes the dashboard's appointments, without cancellation requests. */
export function makeUpcoming(
  appointments: readonly AppointmentRow[] = [],
  over: Partial<UpcomingAppointmentsResponse> = {},
): UpcomingAppointmentsResponse {
  return {
    appointments: [...appointments],
    total: appointments.length,
    cancellation_requests: { total: 0, appointments: [] },
    ...over,
  }
}

/** Makes a day of 24 hours in UTC. */
export function makeAgendaDay(date: string, openings: AgendaDay['openings'] = []): AgendaDay {
  const midnightMs = Date.parse(`${date}T00:00:00Z`)
  const hour = (hours: number) => new Date(midnightMs + hours * 3_600_000).toISOString()
  return { date, starts_at: hour(0), noon_at: hour(12), ends_at: hour(24), openings }
}

export function makeAppointmentType(over: Partial<AppointmentType> = {}): AppointmentType {
  return {
    id: '00000000-0000-4000-8000-000000000301',
    calendar_id: CALENDAR_ID,
    ...appointmentTypeBody.parse({
      name: 'First consultation',
      duration: 45,
      description: 'History and a plan.',
      color: '#8e44ad',
    }),
    location: null,
    ...over,
  }
}

export function makeProfile(over: Partial<Profile> = {}): Profile {
  return {
    id: OWNER_ID,
    first_name: 'Meredith',
    last_name: 'Grey',
    email: 'meredith@example.org',
    pending_email: null,
    avatar_url: null,
    phone: '+44 20 7946 0958',
    time_zone: 'Europe/London',
    bio: 'Movement and back pain.',
    notify_bookings: true,
    notify_cancellation_requests: true,
    notify_cancellations: true,
    two_factor_enabled: false,
    created_at: '2026-11-02T09:12:00Z',
    updated_at: '2026-11-02T09:12:00Z',
    ...over,
  }
}

export function makeLocation(over: Partial<Location> = {}): Location {
  return {
    id: '00000000-0000-4000-8000-000000000601',
    name: 'Riverside Practice',
    address: '14 Wharf Lane',
    type: 'physical',
    shareable: false,
    sharing_code: null,
    exclusive: true,
    user_id: OWNER_ID,
    used_by_others: 0,
    ...over,
  }
}

/** Makes a calendar's location. Its id is derived from the id of the location. */
export function makeCalendarLocation(
  over: Partial<CalendarLocation> = {},
  location = makeLocation(),
): CalendarLocation {
  return {
    id: location.id.replace(/06(..)$/, '07$1'),
    calendar_id: CALENDAR_ID,
    location_id: location.id,
    is_primary: true,
    location,
    ...over,
  }
}

export function makeSubscription(over: Partial<SubscriptionResponse> = {}): SubscriptionResponse {
  return {
    subscribed: false,
    subscription_tier: 'Free',
    subscription_end: null,
    standing: 'none',
    next_charge: null,
    next_tier: null,
    past_due_since: null,
    can_manage: false,
    paused_calendars: [],
    limits: { calendars: 1, integrations: [], features: [] },
    ...over,
  }
}

/** Makes payment settings without a connected provider. */
export function makePaymentSettings(over: Partial<PaymentSettings> = {}): PaymentSettings {
  return {
    payment_enabled: true,
    payment_required: true,
    stripe_connected: false,
    stripe_account_id: null,
    paypal_connected: false,
    paypal_merchant_id: null,
    paypal_email: null,
    paypal_client_id: null,
    has_paypal_client_secret: false,
    paypal_redirect_uri: null,
    paypal_mode: 'sandbox',
    payment_provider: null,
    currency: 'eur',
    offered: ['stripe', 'paypal'],
    sandbox: [],
    paypal_callback_url: 'https://meridian.example/paypal-connect-callback',
    reusable_accounts: [],
    ...over,
  }
}

export function makeExternalCalendar(over: Partial<ExternalCalendar> = {}): ExternalCalendar {
  return {
    id: '00000000-0000-4000-8000-000000000901',
    name: 'Meredith',
    color: '#0b8043',
    is_primary: true,
    can_write: true,
    is_gone: false,
    synced_at: '2026-12-01T09:58:00Z',
    reads_busy_times: true,
    writes_events: false,
    unreadable_events: { count: 0, first: [] },
    read_by_other: null,
    ...over,
  }
}

/** Makes a Google connection with one calendar, whose events count as busy. */
export function makeConnection(over: Partial<CalendarConnection> = {}): CalendarConnection {
  return {
    id: '00000000-0000-4000-8000-000000000801',
    provider: 'google',
    account_name: 'meredith@gmail.example',
    state: 'active',
    problem: null,
    troubled_since: null,
    last_success_at: '2026-12-01T09:58:00Z',
    next_sync_at: '2026-12-01T10:08:00Z',
    can_write: true,
    calendars: [makeExternalCalendar()],
    ...over,
  }
}

/** Makes external calendar settings that offer every provider, without a connection. */
export function makeExternalCalendars(over: Partial<ExternalCalendars> = {}): ExternalCalendars {
  return {
    offered: ['google', 'microsoft', 'caldav', 'ics'],
    sandbox: [],
    connections: [],
    settings: { auto_sync: true, two_way_sync: true, hide_customer: false, when_unchecked: 'trust_copy' },
    waiting_events: 0,
    offers_nothing: false,
    ...over,
  }
}

/** Makes a change in which an event was deleted at the provider together with many others. */
export function makeExternalChange(
  over: Partial<ExternalChanges['changes'][number]> = {},
): ExternalChanges['changes'][number] {
  return {
    id: '00000000-0000-4000-8000-000000000a01',
    appointment_id: '00000000-0000-4000-8000-000000000501',
    kind: 'deleted',
    reason: 'many_deletions',
    customer_name: 'Ada Lovelace',
    people: null,
    title: 'First consultation',
    appointment_starts_at: '2026-12-01T09:30:00Z',
    appointment_ends_at: '2026-12-01T10:15:00Z',
    starts_at: null,
    ends_at: null,
    noticed_at: '2026-11-30T09:30:00Z',
    ...over,
  }
}
