import { randomBytes, randomUUID } from 'node:crypto'
import {
  type CalendarSandbox,
  type CalendarSandboxOptions,
  startCalendarSandbox,
} from '#sandbox/calendars/start-calendar-sandbox.ts'
import { registerApi } from './api.ts'
import { registerConsent } from './consent-pages.ts'
import { GRAPH_FAULTS } from './graph-fault.ts'
import { notifySubscribers } from './subscriptions.ts'
import { registerTokens } from './tokens.ts'
import { listNewCalendars, WORDS } from './world.ts'

/** Starts the Microsoft sandbox. */
export function startMicrosoftSandbox(options: CalendarSandboxOptions): Promise<CalendarSandbox> {
  return startCalendarSandbox(options, {
    provider: 'microsoft',
    words: WORDS,
    listNewCalendars,
    faults: GRAPH_FAULTS,
    clientId: randomUUID(),
    clientSecret: randomBytes(24).toString('base64url'),
    notify: notifySubscribers,
    register: (app, world) => {
      registerConsent(app, world)
      registerTokens(app, world)
      registerApi(app, world)
    },
  })
}
