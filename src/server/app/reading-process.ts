import { serveReadings } from '#server/integrations/reading/serve-readings.ts'
import { keepCompiled } from '#server/platform/keep-compiled.ts'

/** The program of the processes that read what servers of owners sent: `read-apart.ts` starts it and ends it. */
keepCompiled()
serveReadings({
  ics: async () => (await import('#server/integrations/ics/readings.ts')).ICS_READINGS,
  caldav: async () => (await import('#server/integrations/caldav/readings.ts')).CALDAV_READINGS,
})
