import { serveReadings } from '#server/integrations/reading/serve-readings.ts'
import { cacheCompiledCode } from '#server/platform/cache-compiled-code.ts'

/** The program of the processes that read what servers of owners sent: `isolated-reader.ts` starts it and ends it. */
cacheCompiledCode()
serveReadings({
  ics: async () => (await import('#server/integrations/ics/readings.ts')).ICS_READINGS,
  caldav: async () => (await import('#server/integrations/caldav/readings.ts')).CALDAV_READINGS,
})
