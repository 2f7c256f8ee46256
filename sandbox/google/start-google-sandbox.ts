import { randomBytes } from 'node:crypto'
import {
  type CalendarSandbox,
  type CalendarSandboxOptions,
  startCalendarSandbox,
} from '#sandbox/calendars/start-calendar-sandbox.ts'
import { registerGoogleCalendarApi } from './api.ts'
import { notifyChannelsOfCalendar } from './channels.ts'
import { registerGoogleConsentPage } from './consent-pages.ts'
import { GOOGLE_ERRORS } from './google-fault.ts'
import { registerTokenEndpoints } from './tokens.ts'
import { GOOGLE_PAGE_TEXTS, listInitialCalendars } from './world.ts'

/** Starts the Google sandbox. */
export function startGoogleSandbox(options: CalendarSandboxOptions): Promise<CalendarSandbox> {
  return startCalendarSandbox(options, {
    provider: 'google',
    words: GOOGLE_PAGE_TEXTS,
    listNewCalendars: listInitialCalendars,
    faults: GOOGLE_ERRORS,
    clientId: 'sandbox.apps.googleusercontent.com',
    clientSecret: `GOCSPX-${randomBytes(18).toString('base64url')}`,
    notify: notifyChannelsOfCalendar,
    register: (app, world) => {
      registerGoogleConsentPage(app, world)
      registerTokenEndpoints(app, world)
      registerGoogleCalendarApi(app, world)
    },
  })
}
