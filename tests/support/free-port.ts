import { createServer } from 'node:net'

/**
 * The range of ports for tests. It ends below the ports that the operating system assigns (from 32768 on Linux, from 49152 on
 * macOS and Windows) to outgoing connections and to servers that listen on port 0, such as Meridian's sandboxes. Otherwise the
 * system could assign a port between the return of `findFreePort` and the moment when a server listens on it.
 */
const FIRST_PORT = 20_000
const LAST_PORT = 32_767
const PORT_COUNT = LAST_PORT - FIRST_PORT + 1
/** Distance between the first ports of parallel test processes, so that they rarely try the same port. */
const PORTS_PER_PROCESS = 100

let asked = 0

/** Finds a TCP port on 127.0.0.1 on which nothing is listening; a different port in each call. */
export async function findFreePort(): Promise<number> {
  for (let tried = 0; tried < PORT_COUNT; tried++) {
    const port = FIRST_PORT + ((process.pid * PORTS_PER_PROCESS + asked) % PORT_COUNT)
    asked += 1
    if (await isFree(port)) return port
  }
  throw new Error(`no TCP port from ${FIRST_PORT} to ${LAST_PORT} is free on 127.0.0.1`)
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.on('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
