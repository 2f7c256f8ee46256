import { startMicrosoftSandbox } from '#sandbox/microsoft/start-microsoft-sandbox.ts'
import { calendarIdOf } from '#sandbox/microsoft/world.ts'
import { buildMicrosoftProvider } from '#server/integrations/microsoft/adapter.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type CalendarSandboxWithAdapter, startCalendarSandboxWithAdapter } from './calendar-stand-in.ts'

export const MICROSOFT_NOTIFY_URL = 'https://meridian.example/api/webhooks/microsoft-calendar'

/** Starts the Microsoft sandbox, with an adapter connected to it. */
export function startMicrosoftSandboxWithAdapter(db: Db): Promise<CalendarSandboxWithAdapter> {
  return startCalendarSandboxWithAdapter(db, {
    startSandbox: startMicrosoftSandbox,
    buildProvider: (settings) => buildMicrosoftProvider({ ...settings, timeoutMs: 20_000 }),
    email: 'grace@outlook.example',
    redirectUri: 'https://meridian.example/api/calendar-connections/callback/microsoft',
    mainIdOf: (email) => calendarIdOf(email, 'Calendar'),
  })
}
