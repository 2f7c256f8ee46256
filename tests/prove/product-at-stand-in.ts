import { readConfig } from '#server/app/config.ts'
import { startServer, startServerOrExit } from '#server/app/start-server.ts'
import { buildLazyGoogleProvider } from '#server/integrations/google/lazy-provider.ts'
import { systemClock } from '#server/platform/clock.ts'
import { stopWhenNpmStops } from '#server/platform/stop-when-npm-stops.ts'
import type { GoogleSandboxSettings } from './google-stand-in.ts'

/** Starts Meridian as `src/server/main.ts` does, with a Google sandbox that several processes share. */
stopWhenNpmStops(process.env.npm_lifecycle_event)
const { GOOGLE_STAND_IN = '', ...env } = process.env
await startServerOrExit(async () => {
  const settings = JSON.parse(GOOGLE_STAND_IN) as GoogleSandboxSettings // passed by calendar-outage.ts
  const google = buildLazyGoogleProvider({ ...settings, now: systemClock })
  await startServer(readConfig(env), { calendarProviders: { google } })
})
