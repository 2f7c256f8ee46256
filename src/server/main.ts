import { cacheCompiledCode } from './platform/cache-compiled-code.ts'
import { loadEnvFile } from './platform/load-env-file.ts'
import { stopWhenNpmStops } from './platform/stop-when-npm-stops.ts'

loadEnvFile()
stopWhenNpmStops(process.env.npm_lifecycle_event)
cacheCompiledCode()
const { readConfig } = await import('./app/config.ts')
const { startServer, startServerOrExit } = await import('./app/start-server.ts')

/** The product in production. ROLE chooses all of it, the web part or the worker part. */
await startServerOrExit(async () => {
  const config = readConfig(process.env)
  await startServer(config)
})
