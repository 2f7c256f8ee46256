import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { type Floor, serveFloor } from './serve-floor.ts'

/** Builds and serves a page of React and react-dom alone, packed like ours. */
export async function serveReactAlone(): Promise<Floor> {
  const outDir = await mkdtemp(join(tmpdir(), 'meridian-floor-'))
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      rolldownOptions: { input: join(import.meta.dirname, 'react-alone.ts') },
    },
  })
  const [name = ''] = await readdir(join(outDir, 'assets'))
  const script = gzipSync(await readFile(join(outDir, 'assets', name)), { level: 9 })
  await rm(outDir, { recursive: true })
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="description" content="React alone"><link rel="icon" href="data:,"><title>React alone</title><script type="module" src="/floor.js"></script></head><body><main id="root"></main></body></html>`
  return serveFloor((request, response) => {
    if (request.url === '/') return response.setHeader('content-type', 'text/html').end(page)
    if (request.url !== '/floor.js') return response.writeHead(404).end()
    return response
      .setHeader('content-type', 'text/javascript')
      .setHeader('content-encoding', 'gzip')
      .end(script)
  })
}
