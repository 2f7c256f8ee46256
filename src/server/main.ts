import { readConfig } from './app/config.ts'
import { serve, serveOrExplain } from './app/serve.ts'

/** The product as it runs in production; ROLE chooses all of it, the web or the worker part. */
await serveOrExplain(async () => {
  const config = readConfig(process.env)
  await serve(config)
})
