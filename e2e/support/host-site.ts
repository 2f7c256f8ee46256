import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type EmbeddingSite = { readonly origin: string; readonly stop: () => Promise<void> }

/**
 * Starts a website that embeds a booking page. The website is at 127.0.0.1 and Meridian at localhost, so they are different
 * sites, not only different origins.
 */
export async function startEmbeddingSite(html: string): Promise<EmbeddingSite> {
  const server = createServer((request, response) => {
    if (request.url !== '/') return void response.writeHead(204).end()
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // the server listens on a TCP port
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
