import { cacheCompiledCode } from './platform/cache-compiled-code.ts'
import { endWithNpm } from './platform/end-with-npm.ts'
import { loadEnvFile } from './platform/load-env-file.ts'

loadEnvFile()
endWithNpm(process.env.npm_lifecycle_event)
cacheCompiledCode()
const { readConfig } = await import('./app/config.ts')
const { serve, serveOrExplain } = await import('./app/serve.ts')

/** The product in production. ROLE chooses all of it, the web part or the worker part. */
await serveOrExplain(async () => {
  const config = readConfig(process.env)
  await serve(config)
})
