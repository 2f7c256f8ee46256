import { readConfig } from '#server/app/config.ts'
import { serve, serveOrExplain } from '#server/app/serve.ts'
import { announce } from './announce.ts'
import { seedWhenEmpty } from './seed.ts'
import { ensureWebBuild } from './web-build.ts'

/** `npm start`: builds the web part when it is missing or stale, starts, and says where everything is. */
await serveOrExplain(async () => {
  const config = readConfig(process.env)
  if (config.ROLE !== 'worker') await ensureWebBuild()
  const meridian = await serve(config, {
    beforeListening: async ({ database, deps }) => {
      if (config.sandbox && config.DEMO) await seedWhenEmpty(database.db, deps.now())
    },
  })
  await announce(config, meridian)
})
