import { serveReadings } from '#server/integrations/reading/serve-readings.ts'
import { cacheCompiledCode } from '#server/platform/cache-compiled-code.ts'

/** Program of the process that parses responses of owners' servers. `isolated-reader.ts` starts and stops it. */
cacheCompiledCode()
serveReadings({
  ics: async () => (await import('#server/integrations/ics/readings.ts')).ICS_READINGS,
  caldav: async () => (await import('#server/integrations/caldav/readings.ts')).CALDAV_READINGS,
})
