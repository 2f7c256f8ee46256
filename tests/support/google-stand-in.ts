import { startGoogleSandbox } from '#sandbox/google/start-google-sandbox.ts'
import { buildGoogleProvider } from '#server/integrations/google/adapter.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type CalendarSandboxWithAdapter, startCalendarSandboxWithAdapter } from './calendar-stand-in.ts'

export const GOOGLE_REDIRECT_URI = 'https://meridian.example/api/calendar-connections/callback/google'
export const GOOGLE_NOTIFY_URL = 'https://meridian.example/api/webhooks/google-calendar'

/** Starts the Google sandbox, with an adapter connected to it. */
export function startGoogleSandboxWithAdapter(db: Db): Promise<CalendarSandboxWithAdapter> {
  return startCalendarSandboxWithAdapter(db, {
    startSandbox: startGoogleSandbox,
    buildProvider: (settings) => buildGoogleProvider({ ...settings, timeoutMs: 20_000 }),
    email: 'grace@gmail.example',
    redirectUri: GOOGLE_REDIRECT_URI,
    mainIdOf: (email) => email,
  })
}
