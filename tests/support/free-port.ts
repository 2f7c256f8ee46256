import { createServer } from 'node:net'

/** What this process was given: nothing listens on it yet, so the system may give it again. */
const given = new Set<number>()

/** A TCP port on which nothing listens on 127.0.0.1 right now, another one each time. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = await askForPort()
    if (given.has(port)) continue
    given.add(port)
    return port
  }
}

function askForPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      // A listening TCP server has an address object; the other forms belong to pipes.
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}
