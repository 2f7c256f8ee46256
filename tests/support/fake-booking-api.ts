import type {
  CreateBookingBody,
  CreateBookingResponse,
  PublicAppointment,
} from '#contract/appointments/bookings.ts'
import type { PublicAppointmentType } from '#contract/availability/appointment-types.ts'
import type { PublicBranding } from '#contract/calendars/branding.ts'
import type { PublicCalendar } from '#contract/calendars/calendars.ts'
import type { BookingPageData } from '#contract/pages/page-data.ts'
import type { CreateCheckoutBody, CreateCheckoutResponse } from '#contract/payments/checkouts.ts'
import { PROBLEMS, type ProblemCode } from '#contract/shared/problem.ts'
import { describePolicy } from '#core/appointments/describe-policy.ts'
import { DEFAULT_POLICY } from '#core/appointments/policy.ts'
import { calendarColors } from '#core/calendars/page-colors.ts'
import { localDateOf } from '#core/shared/zoned-time.ts'

const MINUTE_MS = 60_000

const NO_BOUNDS = { bookable_from: null, bookable_until: null, bookable_text: null }

const CALENDAR: PublicCalendar = {
  calendar_id: '11111111-1111-4111-8111-111111111111',
  slug: 'dr-grey',
  calendar_name: 'Harbour Practice',
  calendar_description: 'Physiotherapy',
  calendar_color: '#3498db',
  public_url: 'https://book.example.org/book/dr-grey',
  created_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-01T00:00:00Z',
  appointment_title_required: true,
  default_appointment_title: 'Session with {{professional_full_name}}',
  professional_first_name: 'Maya',
  professional_last_name: 'Grey',
  professional_initials: 'MG',
  category: 'therapist',
  payment_required: false,
  email_confirmation_required: false,
  timezone: 'Europe/London',
  hour_cycle: 'h12',
  ...NO_BOUNDS,
  questions: [],
  location: null,
  policy: DEFAULT_POLICY,
  policy_text: describePolicy(DEFAULT_POLICY, { hasPrice: false }),
  is_paused: false,
  closed_text: null,
}

export const SAMPLE_CONSULTATION_TYPE: PublicAppointmentType = {
  id: '22222222-2222-4222-8222-222222222221',
  name: 'Consultation',
  duration: 30,
  description: 'We look at what hurts.',
  color: '#e67e22',
  price: 60,
  fee_note: null,
  is_online: false,
  payment_required: false,
  is_listed: true,
  ...NO_BOUNDS,
  policy_text: describePolicy(DEFAULT_POLICY, { hasPrice: true }),
  series: null,
  location: {
    id: '33333333-3333-4333-8333-333333333333',
    name: 'Harbour House',
    address: '12 Quay Street',
    type: 'physical',
  },
}

const VIDEO_CALL: PublicAppointmentType = {
  ...SAMPLE_CONSULTATION_TYPE,
  id: '22222222-2222-4222-8222-222222222222',
  name: 'Video call',
  duration: 15,
  description: null,
  price: null,
  fee_note: null,
  is_online: true,
  location: null,
}

export const SAMPLE_APPOINTMENT: PublicAppointment = {
  id: '44444444-4444-4444-8444-444444444444',
  booking_reference: 'BK-1795000000000',
  status: 'confirmed',
  payment_status: 'pending',
  confirm_email_until: null,
  policy_text: describePolicy(DEFAULT_POLICY, { hasPrice: true }),
  move_until: '2099-11-30T09:30:00Z',
  cancel_until: '2099-12-01T09:30:00Z',
  date: '2026-12-01',
  start_time: '09:30:00',
  end_time: '10:00:00',
  starts_at: '2026-12-01T09:30:00Z',
  ends_at: '2026-12-01T10:00:00Z',
  is_moved: false,
  time_zone: 'Europe/London',
  hour_cycle: 'h12',
  customer_time_zone: 'Europe/London',
  title: 'Consultation',
  description: 'My left knee.',
  category: 'therapist',
  calendar_slug: 'dr-grey',
  calendar_name: 'Harbour Practice',
  calendar_category: 'therapist',
  calendar_color: '#3498db',
  calendar_location: null,
  public_url: 'https://book.example.org/book/dr-grey',
  professional_first_name: 'Maya',
  professional_last_name: 'Grey',
  appointment_type_id: null,
  appointment_type_name: 'Consultation',
  appointment_type_price: 60,
  fee_note: null,
  price_note: null,
  is_online: false,
  location_name: 'Harbour House',
  location_address: '12 Quay Street',
}

/** The token in the customer page's link that a booking response contains. */
const MANAGE_TOKEN = 'A'.repeat(44)

/** A calendar with default branding. */
const NO_BRANDING: PublicBranding = {
  colors: calendarColors('#3498db'),
  logo: null,
  welcome_html: '',
  footer_html: '',
  stylesheet: null,
}

/** The data that the server inlines for a calendar with both types, changed as a test needs. */
export function makeBookingPageData(
  change: Partial<PublicCalendar> = {},
  types = [SAMPLE_CONSULTATION_TYPE, VIDEO_CALL],
): BookingPageData {
  return {
    calendar: { ...CALENDAR, ...change },
    appointment_types: types,
    payment_providers: { stripe_connected: false, paypal_connected: false, note: null },
    branding: NO_BRANDING,
    sandbox: false,
  }
}

/** A response of the server, or `offline` for none. */
type Answer = { status: number; body: unknown } | 'offline'

type Sent<Body> = { key: string | null; body: Body }

/** The URL to which the fake API sends customers to pay. */
export const CHECKOUT_URL = 'https://checkout.example.org/pay/1'

/** A fake of the public API behind `fetch`. It offers `times`, and accepts or refuses bookings as a test says. */
export class FakeBookingApi {
  page: BookingPageData = makeBookingPageData()
  /** Available start times, RFC 3339. */
  times: string[] = []
  /** Responses to the next bookings and checkouts, in order. All later ones succeed. */
  refusals: Answer[] = []
  /** Responses by path, checked before everything else. */
  readonly overrides = new Map<string, Answer>()
  readonly bookings: Sent<CreateBookingBody>[] = []
  readonly checkouts: Sent<CreateCheckoutBody>[] = []
  private held: Promise<void> = Promise.resolve()
  readonly paths: string[] = []

  readonly fetch = async (input: string, init: RequestInit = {}): Promise<Response> => {
    this.paths.push(input)
    const url = new URL(input, 'http://localhost')
    const answer = this.overrides.get(url.pathname) ?? this.answerTo(url, init)
    await this.held
    if (answer === 'offline') throw new TypeError('Failed to fetch')
    return new Response(answer.status === 204 ? null : JSON.stringify(answer.body), { status: answer.status })
  }

  /** Delays all responses until the returned function is called. */
  hold(): () => void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.held = promise
    return resolve
  }

  /** Counts the requests whose path contains `part`. */
  countOf(part: string): number {
    return this.paths.filter((path) => path.includes(part)).length
  }

  private answerTo(url: URL, init: RequestInit): Answer {
    const resource = url.pathname.split('/').at(-1)
    if (resource === 'slots')
      return successResponse(this.slotsOf(url.searchParams.get('date') ?? '', this.zone(url.searchParams)))
    if (resource === 'days') return successResponse(this.daysOf(url.searchParams))
    if (resource === 'first-times') return successResponse(this.firstTimes(this.zone(url.searchParams)))
    if (resource === 'appointments') return this.book(init)
    if (resource === 'checkouts') return this.openCheckout(init)
    if (resource === 'appointment-types')
      return successResponse({ appointment_types: this.page.appointment_types })
    if (resource === 'payment-providers') return successResponse(this.page.payment_providers)
    if (resource === 'branding' && this.page.branding !== null) return successResponse(this.page.branding)
    return this.page.calendar === null
      ? errorResponse('calendar.not_found')
      : successResponse(this.page.calendar)
  }

  private book(init: RequestInit): Answer {
    const sent = readSent<CreateBookingBody>(init)
    this.bookings.push(sent)
    const { body } = sent
    const refused = this.refusals.shift()
    if (refused !== undefined) return refused
    const made: CreateBookingResponse = {
      ...SAMPLE_APPOINTMENT,
      starts_at: body.starts_at,
      customer_time_zone: body.time_zone ?? null,
      title: body.title ?? 'Appointment',
      description: body.description ?? null,
      confirmation_email_queued: true,
      manage_token: MANAGE_TOKEN,
      further_dates: (body.series?.dates ?? []).map(({ number, starts_at }) => ({
        id: crypto.randomUUID(),
        booking_reference: `BK-179500000000${number}`,
        starts_at,
        ends_at: starts_at,
      })),
    }
    return { status: 201, body: made }
  }

  private openCheckout(init: RequestInit): Answer {
    this.checkouts.push(readSent<CreateCheckoutBody>(init))
    const made: CreateCheckoutResponse = {
      url: CHECKOUT_URL,
      appointment_id: SAMPLE_APPOINTMENT.id,
      manage_token: MANAGE_TOKEN,
    }
    return this.refusals.shift() ?? { status: 201, body: made }
  }

  private slotsOf(date: string, timeZone: string) {
    const slots = this.times
      .filter((time) => localDateOf(Date.parse(time), timeZone) === date)
      .map((time) => ({
        slot_start: '00:00:00',
        slot_end: '00:30:00',
        starts_at: time,
        ends_at: new Date(Date.parse(time) + 30 * MINUTE_MS).toISOString(),
      }))
    return { date, time_zone: timeZone, slots }
  }

  private firstTimes(timeZone: string) {
    const dates = new Set(this.times.map((time) => localDateOf(Date.parse(time), timeZone)))
    const days = [...dates].slice(0, 2).map((date) => {
      const { slots } = this.slotsOf(date, timeZone)
      return { date, slots: slots.slice(0, 3) }
    })
    return { time_zone: timeZone, days }
  }

  private daysOf(asked: URLSearchParams) {
    const days: { date: string; open_slots: number }[] = []
    const timeZone = this.zone(asked)
    const last = asked.get('to') ?? ''
    for (let at = Date.parse(`${asked.get('from')}T00:00:00Z`); ; at += 24 * 60 * MINUTE_MS) {
      const date = new Date(at).toISOString().slice(0, 10)
      if (date > last) return { time_zone: timeZone, days }
      days.push({ date, open_slots: this.slotsOf(date, timeZone).slots.length })
    }
  }

  private zone(asked: URLSearchParams): string {
    return asked.get('time_zone') ?? this.page.calendar?.timezone ?? 'UTC'
  }
}

/** Reads a request as sent. The contract determines the body's type. */
function readSent<Body>(init: RequestInit): Sent<Body> {
  return {
    key: new Headers(init.headers).get('idempotency-key'),
    body: JSON.parse(String(init.body)) as Body,
  }
}

/** The response when a hold is released. */
export const HOLD_RELEASED_RESPONSE: Answer = { status: 204, body: null }

/** A successful response. */
export function successResponse(body: unknown): Answer {
  return { status: 200, body }
}

/** A refusal with the status and the title that the server gives it. */
export function errorResponse(code: ProblemCode, errors: { path: string; message: string }[] = []): Answer {
  const { status, title } = PROBLEMS[code]
  return { status, body: { type: 'about:blank', title, status, code, errors } }
}
