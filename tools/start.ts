import { cacheCompiledCode } from '#server/platform/cache-compiled-code.ts'
import { loadEnvFile } from '#server/platform/load-env-file.ts'
import { stopWhenNpmStops } from '#server/platform/stop-when-npm-stops.ts'

loadEnvFile()
stopWhenNpmStops(process.env.npm_lifecycle_event)
cacheCompiledCode()
const { readConfig } = await import('#server/app/config.ts')
const { startServer, startServerOrExit } = await import('#server/app/start-server.ts')
const { printUrls } = await import('./announce.ts')
const { ensureWebBuild } = await import('./web-build.ts')

/** `npm start`: builds the web part when it is missing or outdated, starts Meridian, and prints its URLs. */
await startServerOrExit(async () => {
  const config = readConfig(process.env)
  if (config.ROLE !== 'worker') await ensureWebBuild()
  const meridian = await startServer(config, {
    beforeListening: async ({ deps }) => {
      if (!config.sandbox || !config.DEMO) return
      // Imported dynamically, so that production loads no file of the sandboxes.
      const { seedWhenEmpty } = await import('./seed.ts')
      await seedWhenEmpty(deps)
    },
  })
  await printUrls(config, meridian)
})
