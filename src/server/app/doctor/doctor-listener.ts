import { randomBytes, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { z } from 'zod'
import { type Finding, findingSchema } from './finding.ts'

/**
 * The server that runs the checks of `doctor` while the product runs on the embedded database, which only one process
 * can open. Source: rule D19.
 */
export type DoctorListener = {
  /** Listens on loopback on any free port, and writes the port into the data directory. */
  readonly listen: () => Promise<void>
  readonly close: () => Promise<void>
}

const TIMEOUT_MS = 10_000
const addressSchema = z.object({ port: z.int().min(1).max(65_535), token: z.string().min(1) })

/**
 * Builds the server. Requests are authenticated by a token that changes at each start: whoever can read the file in the
 * data directory may send them.
 */
export function buildDoctorListener(dataDir: string, look: () => Promise<Finding[]>): DoctorListener {
  const token = randomBytes(32).toString('base64url')
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) return answer(403, null)
    look().then(
      (findings) => answer(200, findings),
      () => answer(503, null),
    )
  })
  server.requestTimeout = TIMEOUT_MS
  server.unref()
  return {
    async listen() {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      // Delete the file first, because a killed process may have left its own.
      await rm(pathOf(dataDir), { force: true })
      await writeFile(pathOf(dataDir), JSON.stringify({ port: portOf(server), token }), { mode: 0o600 })
    },
    async close() {
      if (!server.listening) return
      server.closeAllConnections()
      server.close()
      await rm(pathOf(dataDir), { force: true })
    },
  }
}

/** Returns the findings of the product that runs on this data directory. @throws Error when it does not respond */
export async function fetchFindingsFromServer(dataDir: string): Promise<Finding[]> {
  const { port, token } = addressSchema.parse(JSON.parse(await readFile(pathOf(dataDir), 'utf8')))
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    headers: { authorization: `Bearer ${token}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!answer.ok) throw new Error(`the running product answers ${answer.status}`)
  return z.array(findingSchema).parse(await answer.json())
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function portOf(server: Server): number {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the doctor listens on no port')
  return address.port
}

function pathOf(dataDir: string): string {
  return join(dataDir, 'doctor.json')
}
