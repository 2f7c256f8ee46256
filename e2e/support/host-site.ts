import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type HostSite = { readonly origin: string; readonly stop: () => Promise<void> }

/**
 * A website that embeds a booking page. It is at 127.0.0.1 while the product is at localhost: another site, not only another origin.
 */
export async function startHostSite(html: string): Promise<HostSite> {
  const server = createServer((request, response) => {
    if (request.url !== '/') return void response.writeHead(204).end()
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // it listens on a port
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
