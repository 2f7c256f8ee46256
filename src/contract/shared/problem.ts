import { ACCOUNT_PROBLEMS } from '#contract/accounts/account-problems.ts'
import { DOMAIN_PROBLEMS } from '#contract/addresses/domain-problems.ts'
import { APPOINTMENT_PROBLEMS } from '#contract/appointments/appointment-problems.ts'
import { BOOKING_PROBLEMS } from '#contract/appointments/booking-problems.ts'
import { SERVER_ONLY_BOOKING_PROBLEMS } from '#contract/appointments/booking-refusals.ts'
import { CANCELLATION_PROBLEMS } from '#contract/appointments/cancellation-problems.ts'
import { CUSTOMER_PAGE_PROBLEMS } from '#contract/appointments/customer-page-problems.ts'
import { EMAIL_CONFIRMATION_PROBLEMS } from '#contract/appointments/email-confirmation-problems.ts'
import { HOLD_PROBLEMS } from '#contract/appointments/hold-problems.ts'
import { OWNER_BOOKING_PROBLEMS } from '#contract/appointments/owner-booking-problems.ts'
import { QUESTION_PROBLEMS } from '#contract/appointments/question-problems.ts'
import { SERIES_PROBLEMS } from '#contract/appointments/series-problems.ts'
import { WHOLE_DAYS_PROBLEMS } from '#contract/appointments/whole-days-problems.ts'
import { LOCATION_PROBLEMS } from '#contract/availability/location-problems.ts'
import { OPENING_HOURS_PROBLEMS } from '#contract/availability/opening-hours-problems.ts'
import { SPECIAL_DAYS_PROBLEMS } from '#contract/availability/special-days-problems.ts'
import { BRANDING_PROBLEMS } from '#contract/calendars/branding-problems.ts'
import { CALENDAR_SETTINGS_PROBLEMS } from '#contract/calendars/calendar-settings-problems.ts'
import { PERSON_PROBLEMS } from '#contract/calendars/person-problems.ts'
import { CUSTOMER_PROBLEMS } from '#contract/customers/customer-problems.ts'
import { EXTERNAL_CALENDAR_PROBLEMS } from '#contract/external-calendars/external-calendar-problems.ts'
import { CONTACT_PROBLEMS } from '#contract/messages/contact-problems.ts'
import { MESSAGE_PROBLEMS } from '#contract/messages/message-problems.ts'
import { PAYMENT_PROBLEMS } from '#contract/payments/payment-problems.ts'
import { SUBSCRIPTION_PROBLEMS } from '#contract/plans/subscription-problems.ts'
import { BOOKING_LIMITS_PROBLEMS } from '#contract/slots/booking-limits-problems.ts'
import { WAITING_LIST_PROBLEMS } from '#contract/waiting-list/waiting-list-problems.ts'

/** Every error that the API returns. The key is the public `code`; `title` is the exact sentence that users see. Source: rule X1. */
export const PROBLEMS = {
  'request.invalid': {
    status: 400,
    title: 'Some of the values aren’t valid. Please check them and try again.',
  },
  'request.too_large': {
    status: 413,
    title: 'This text is too long. Please shorten it and try again.',
  },
  'request.not_json': { status: 415, title: 'Only JSON is accepted.' },
  'request.cross_site': { status: 403, title: 'This request came from another website and was refused.' },
  'request.proxied': {
    status: 403,
    title:
      'This development server only accepts requests from its own machine. Behind a proxy, set NODE_ENV=production.',
  },
  'request.too_many': { status: 429, title: 'Too many attempts. Please wait a moment and try again.' },
  'request.too_slow': { status: 408, title: 'The request didn’t arrive in time. Please try again.' },
  'request.method_unknown': { status: 501, title: 'This HTTP method is not supported.' },
  'request.expectation_unknown': {
    status: 417,
    title: 'This Expect header is not supported.',
  },
  'request.not_found': { status: 404, title: 'There is nothing at this address.' },
  'host.unknown': { status: 421, title: 'There is no booking page at this address.' },
  'request.key_reused': {
    status: 422,
    title: 'This request was already sent with different values. Please reload the page and try again.',
  },
  'request.changed_meanwhile': {
    status: 409,
    title: 'This was changed in another window. Please check the current values and save again.',
  },

  'auth.required': { status: 401, title: 'Please log in to manage your calendars' },
  'auth.invalid_credentials': { status: 401, title: 'Invalid email or password' },
  'auth.email_not_verified': {
    status: 403,
    title: 'Please confirm your email address first. We’ve sent you a new link.',
  },
  'auth.invalid_token': { status: 400, title: 'This link is no longer valid. Please ask for a new one.' },
  'auth.registration_replaced': {
    status: 400,
    title:
      'This link no longer works, because the address was registered again after we sent it. Please register again and use the link in the newest email.',
  },
  'auth.registration_closed': { status: 403, title: 'This site doesn’t accept new accounts.' },
  'auth.invitation_required': { status: 403, title: 'You need an invitation to create an account here.' },
  'auth.invitation_invalid': {
    status: 400,
    title: 'This invitation has expired or was used, or it is for another address. Please ask for a new one.',
  },
  'auth.password_too_short': { status: 400, title: 'Password must be at least 8 characters long' },
  'auth.password_too_long': { status: 400, title: 'Password must be at most 128 characters long' },
  'auth.name_too_short': { status: 400, title: 'Name must be at least 2 characters long' },

  'calendar.not_found': { status: 404, title: 'Calendar not found' },
  'calendar.forbidden': {
    status: 403,
    title: "You don't have permission to edit this calendar's availability.",
  },
  'calendar.name_required': { status: 400, title: 'Calendar name is required' },
  'calendar.limit_reached': {
    status: 402,
    title: 'You have reached your calendar limit. Please upgrade your plan to create more calendars.',
  },
  'calendar.slug_taken': {
    status: 409,
    title: 'This booking link is already taken. Please choose another one.',
  },
  'calendar.slug_reserved': {
    status: 400,
    title: 'This booking link is reserved. Please choose another one.',
  },
  'calendar.slug_invalid': {
    status: 400,
    title: 'A booking link can only have lowercase letters, digits and single dashes.',
  },
  'calendar.time_zone_unknown': { status: 400, title: 'Please choose a time zone from the list.' },

  'appointment_type.not_found': { status: 404, title: 'Appointment type not found' },
  'appointment_type.name_required': { status: 400, title: 'Name is required' },
  'appointment_type.duration_too_short': { status: 400, title: 'Duration must be at least 5 minutes' },

  ...BOOKING_PROBLEMS,
  ...SERVER_ONLY_BOOKING_PROBLEMS,
  ...HOLD_PROBLEMS,
  ...CANCELLATION_PROBLEMS,
  ...APPOINTMENT_PROBLEMS,
  ...MESSAGE_PROBLEMS,
  ...OWNER_BOOKING_PROBLEMS,
  ...SERIES_PROBLEMS,
  ...OPENING_HOURS_PROBLEMS,
  ...BOOKING_LIMITS_PROBLEMS,
  ...PERSON_PROBLEMS,
  ...SPECIAL_DAYS_PROBLEMS,
  ...QUESTION_PROBLEMS,
  ...LOCATION_PROBLEMS,
  ...ACCOUNT_PROBLEMS,
  ...CALENDAR_SETTINGS_PROBLEMS,
  ...DOMAIN_PROBLEMS,
  ...BRANDING_PROBLEMS,
  ...EXTERNAL_CALENDAR_PROBLEMS,
  ...PAYMENT_PROBLEMS,
  ...SUBSCRIPTION_PROBLEMS,
  ...CONTACT_PROBLEMS,
  ...EMAIL_CONFIRMATION_PROBLEMS,
  ...CUSTOMER_PROBLEMS,
  ...CUSTOMER_PAGE_PROBLEMS,
  ...WHOLE_DAYS_PROBLEMS,
  ...WAITING_LIST_PROBLEMS,

  'server.unavailable': {
    status: 503,
    title: 'The service is currently unavailable. Please try again shortly.',
  },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof PROBLEMS

/** An invalid field, identified by its JSON path (`customer.email`). */
export type FieldError = { path: string; message: string }

/** Problem details as defined by RFC 9457, sent as `application/problem+json`. */
export type Problem = {
  type: string
  title: string
  status: number
  code: ProblemCode
  request_id?: string | undefined
  errors?: FieldError[] | undefined
}
