import { randomBytes } from 'node:crypto'
import {
  type CalendarSandbox,
  type CalendarSandboxOptions,
  startCalendarSandbox,
} from '#sandbox/calendars/start-calendar-sandbox.ts'
import { registerApi } from './api.ts'
import { notifyChannels } from './channels.ts'
import { registerConsent } from './consent-pages.ts'
import { GOOGLE_FAULTS } from './google-fault.ts'
import { registerTokens } from './tokens.ts'
import { listNewCalendars, WORDS } from './world.ts'

/** Starts the Google sandbox. */
export function startGoogleSandbox(options: CalendarSandboxOptions): Promise<CalendarSandbox> {
  return startCalendarSandbox(options, {
    provider: 'google',
    words: WORDS,
    listNewCalendars,
    faults: GOOGLE_FAULTS,
    clientId: 'sandbox.apps.googleusercontent.com',
    clientSecret: `GOCSPX-${randomBytes(18).toString('base64url')}`,
    notify: notifyChannels,
    register: (app, world) => {
      registerConsent(app, world)
      registerTokens(app, world)
      registerApi(app, world)
    },
  })
}
