import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import middie from '@fastify/middie'
import { createServer } from 'vite'
import { readConfig } from '#server/app/config.ts'
import { startServer, startServerOrExit } from '#server/app/start-server.ts'
import { loadEnvFile } from '#server/platform/load-env-file.ts'
import { stopWhenNpmStops } from '#server/platform/stop-when-npm-stops.ts'
import { printUrls } from './announce.ts'
import { seedWhenEmpty } from './seed.ts'

const ENTRIES = join(import.meta.dirname, '../src/web/entries')

loadEnvFile()
stopWhenNpmStops(process.env.npm_lifecycle_event)

/** `npm run dev`: Meridian with Vite's hot reload instead of built pages. */
await startServerOrExit(async () => {
  const config = readConfig(process.env)
  if (!config.sandbox) throw new Error('npm run dev is for development on this machine; use npm start')
  const vite = await createServer({
    configFile: join(import.meta.dirname, '../vite.config.ts'),
    server: { middlewareMode: true, hmr: { port: config.PORT + 1, host: '127.0.0.1' } },
    appType: 'custom',
  })
  const meridian = await startServer(config, {
    allowInline: true,
    templates: async (entry, url) => {
      const source = await readFile(join(ENTRIES, entry, 'index.html'), 'utf8')
      const html = await vite.transformIndexHtml(url, source, `/${entry}/index.html`)
      // `allowInline` permits Vite's own inline scripts. A hash in the policy would disable it, so none are listed.
      return { html, elements: [] }
    },
    extend: async (app) => {
      await app.register(middie)
      app.use(vite.middlewares)
      app.addHook('onClose', () => vite.close())
    },
    beforeListening: async ({ deps }) => {
      if (config.DEMO) await seedWhenEmpty(deps)
    },
  })
  await printUrls(config, meridian)
})
