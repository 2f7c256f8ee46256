import { serveParseRequests } from '#server/integrations/reading/serve-parse-requests.ts'
import { cacheCompiledCode } from '#server/platform/cache-compiled-code.ts'

/** Program of the process that parses responses of owners' servers. `isolated-parser.ts` starts and stops it. */
cacheCompiledCode()
serveParseRequests({
  ics: async () => (await import('#server/integrations/ics/parsers.ts')).ICS_PARSERS,
  caldav: async () => (await import('#server/integrations/caldav/parsers.ts')).CALDAV_PARSERS,
})
