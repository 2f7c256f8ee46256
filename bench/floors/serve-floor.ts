import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A page that does the least that can be done, to measure ours beside. */
export type Floor = { readonly url: string; stop(): Promise<void> }

/** Serves it on a free port of this machine. */
export async function serveFloor(answer: RequestListener): Promise<Floor> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A TCP server's address is never a text.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://localhost:${port}`,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
