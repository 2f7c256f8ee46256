import { join } from 'node:path'
import { build, type Plugin } from 'vite'

const SOURCES = join(import.meta.dirname, '../src/web/entries/embed')

/** The scripts with their own URL, by output file, and their source files. */
const SCRIPTS = { 'embed.js': 'embed.ts', 'embed-frame.js': 'frame.ts' } as const

/**
 * Builds the scripts of embedded booking pages. Each is a classic script that defines no global name, because websites load it in
 * different ways and may load it more than once.
 */
export function embedScripts(): Plugin {
  return {
    name: 'embed-scripts',
    async generateBundle() {
      if (this.environment.config.consumer !== 'client') return
      for (const [fileName, entry] of Object.entries(SCRIPTS)) {
        this.emitFile({ type: 'asset', fileName, source: await buildScript(entry) })
      }
    },
    configureServer: (server) => {
      for (const [fileName, entry] of Object.entries(SCRIPTS)) {
        server.middlewares.use(`/${fileName}`, (_request, response, next) => {
          buildScript(entry).then((code) => {
            response.setHeader('content-type', 'text/javascript')
            response.end(code)
          }, next)
        })
      }
    },
  }
}

/** Bundles a source file with all its imports into a function that runs immediately. */
export async function buildScript(entry: string): Promise<string> {
  const outputs = await build({
    configFile: false,
    root: SOURCES,
    publicDir: false,
    logLevel: 'warn',
    build: {
      write: false,
      lib: { entry: join(SOURCES, entry), formats: ['iife'], name: 'meridian', fileName: 'script' },
    },
  })
  const chunks = [outputs].flat().flatMap((result) => ('output' in result ? result.output : []))
  const [chunk] = chunks
  if (chunk?.type !== 'chunk' || chunks.length !== 1) throw new Error(`${entry} is not one script`)
  return chunk.code
}
