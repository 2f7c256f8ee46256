import { randomBytes, randomUUID } from 'node:crypto'
import {
  type CalendarSandbox,
  type CalendarSandboxOptions,
  startCalendarSandbox,
} from '#sandbox/calendars/start-calendar-sandbox.ts'
import { registerGraphApi } from './api.ts'
import { registerMicrosoftConsentPage } from './consent-pages.ts'
import { GRAPH_ERRORS } from './graph-fault.ts'
import { notifySubscribers } from './subscriptions.ts'
import { registerTokenEndpoint } from './tokens.ts'
import { listInitialCalendars, MICROSOFT_PAGE_TEXTS } from './world.ts'

/** Starts the Microsoft sandbox. */
export function startMicrosoftSandbox(options: CalendarSandboxOptions): Promise<CalendarSandbox> {
  return startCalendarSandbox(options, {
    provider: 'microsoft',
    words: MICROSOFT_PAGE_TEXTS,
    listNewCalendars: listInitialCalendars,
    faults: GRAPH_ERRORS,
    clientId: randomUUID(),
    clientSecret: randomBytes(24).toString('base64url'),
    notify: notifySubscribers,
    register: (app, world) => {
      registerMicrosoftConsentPage(app, world)
      registerTokenEndpoint(app, world)
      registerGraphApi(app, world)
    },
  })
}
