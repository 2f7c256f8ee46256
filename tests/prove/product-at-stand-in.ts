import { readConfig } from '#server/app/config.ts'
import { serve, serveOrExplain } from '#server/app/serve.ts'
import { buildLazyGoogleProvider } from '#server/integrations/google/lazy-provider.ts'
import { systemClock } from '#server/platform/clock.ts'
import { endWithNpm } from '#server/platform/end-with-npm.ts'
import type { StandInSettings } from './google-stand-in.ts'

/** Starts the product as `src/server/main.ts` does, with a Google sandbox that several processes share. */
endWithNpm(process.env.npm_lifecycle_event)
const { GOOGLE_STAND_IN = '', ...env } = process.env
await serveOrExplain(async () => {
  const settings = JSON.parse(GOOGLE_STAND_IN) as StandInSettings // passed by calendar-outage.ts
  const google = buildLazyGoogleProvider({ ...settings, now: systemClock })
  await serve(readConfig(env), { calendarProviders: { google } })
})
