import { screen } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { HolidaysResponse } from '#contract/availability/holidays.ts'
import { enterText } from './enter-text.ts'
import {
  CALENDAR_ID,
  makeAppointmentType,
  makeCalendar,
  makeExternalCalendars,
  makeOutlook,
  makeOwner,
  makeSubscription,
  makeUpcoming,
} from './make-records.ts'
import { errorResponse, type stubApi } from './stub-api.ts'

export const SESSION_REQUEST = 'GET /api/auth/session'
export const CALENDARS_REQUEST = 'GET /api/calendars'
export const CALENDAR_REQUEST = `GET /api/calendars/${CALENDAR_ID}`
const TYPES_PATH = `/api/calendars/${CALENDAR_ID}/appointment-types`

/** The public holidays of a calendar without a region. */
export const NO_HOLIDAYS: HolidaysResponse = { country: null, region: null, place: null, holidays: [] }

/** The server's responses to a visitor. */
export const LOGGED_OUT_RESPONSE = { [SESSION_REQUEST]: { user: null } }

/** The server's responses to an owner with one calendar and one appointment type. */
export const LOGGED_IN_RESPONSE = {
  [SESSION_REQUEST]: { user: makeOwner() },
  [CALENDARS_REQUEST]: { calendars: [makeCalendar()] },
  [CALENDAR_REQUEST]: makeCalendar(),
  [`${CALENDAR_REQUEST}/outlook`]: makeOutlook(),
  [`${CALENDAR_REQUEST}/appointments`]: { appointments: [], total: 0, page: 1, page_size: 10 },
  [`GET ${TYPES_PATH}`]: {
    appointment_types: [makeAppointmentType()],
    stripe_connected: false,
    paypal_connected: false,
  },
  [`${CALENDAR_REQUEST}/special-days`]: { special_days: [] },
  [`${CALENDAR_REQUEST}/holidays`]: NO_HOLIDAYS,
  [`${CALENDAR_REQUEST}/locations`]: { calendar_locations: [], withdrawn: [] },
  'GET /api/locations': { locations: [] },
  [`${CALENDAR_REQUEST}/external-calendars`]: makeExternalCalendars(),
  [`${CALENDAR_REQUEST}/external-changes`]: { changes: [] },
  [`${CALENDAR_REQUEST}/external-events`]: { events: [] },
  [`${CALENDAR_REQUEST}/feed`]: { url: null },
  'GET /api/appointments/upcoming': makeUpcoming(),
  'GET /api/subscription': makeSubscription(),
  'GET /api/setup': { setup: null },
}

type Api = ReturnType<typeof stubApi>

/** Ends the session: from now on, the server refuses all of the owner's requests. */
export function signOutOnServer(api: Api): void {
  for (const key of Object.keys(LOGGED_IN_RESPONSE)) api.answer(key, errorResponse('auth.required'))
  api.answer('POST /api/calendars', errorResponse('auth.required'))
  api.answer(`PATCH /api/calendars/${CALENDAR_ID}`, errorResponse('auth.required'))
  api.answer(`PATCH ${TYPES_PATH}/${makeAppointmentType().id}`, errorResponse('auth.required'))
  api.answer(SESSION_REQUEST, { user: null })
}

/** Fills in and submits the login page, which must be open. From then on, the server sends the responses in `answers`. */
export async function logIn(
  user: UserEvent,
  api: Api,
  answers: Record<string, unknown> = LOGGED_IN_RESPONSE,
): Promise<void> {
  await enterText(user, await screen.findByLabelText(/^Email/), 'meredith@example.org')
  await enterText(user, screen.getByLabelText(/^Password/), 'password123')
  for (const [key, answer] of Object.entries(answers)) api.answer(key, answer)
  api.answer('POST /api/auth/sign-in', answers[SESSION_REQUEST])
  await user.click(screen.getByRole('button', { name: 'Log in' }))
}
