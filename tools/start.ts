import { cacheCompiledCode } from '#server/platform/cache-compiled-code.ts'
import { endWithNpm } from '#server/platform/end-with-npm.ts'
import { loadEnvFile } from '#server/platform/load-env-file.ts'

loadEnvFile()
endWithNpm(process.env.npm_lifecycle_event)
cacheCompiledCode()
const { readConfig } = await import('#server/app/config.ts')
const { serve, serveOrExplain } = await import('#server/app/serve.ts')
const { announce } = await import('./announce.ts')
const { ensureWebBuild } = await import('./web-build.ts')

/** `npm start`: builds the web part when it is missing or outdated, starts the product, and prints its URLs. */
await serveOrExplain(async () => {
  const config = readConfig(process.env)
  if (config.ROLE !== 'worker') await ensureWebBuild()
  const meridian = await serve(config, {
    beforeListening: async ({ deps }) => {
      if (!config.sandbox || !config.DEMO) return
      // Imported dynamically, so that production loads no file of the sandboxes.
      const { seedWhenEmpty } = await import('./seed.ts')
      await seedWhenEmpty(deps)
    },
  })
  await announce(config, meridian)
})
