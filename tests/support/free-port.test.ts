import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findFreePort } from './free-port.ts'

/** The first port that Linux assigns by itself, unless configured otherwise (ip(7), ip_local_port_range). */
const FIRST_PORT_OF_SYSTEM = 32_768

test('a free port is another one each time, and none that the system gives away by itself', async () => {
  const ports = new Set<number>()
  for (let times = 0; times < 20; times++) ports.add(await findFreePort())
  expect(ports.size).toBe(20)
  expect(Math.max(...ports)).toBeLessThan(FIRST_PORT_OF_SYSTEM)
})

test('a free port is none on which a server listens', async () => {
  const port = await findFreePort()
  // Occupies the port that would be tried next. If another server already listens there, that serves the test as well.
  const server = createServer().listen(port + 1, '127.0.0.1')
  await Promise.race([once(server, 'listening'), once(server, 'error')])
  expect(await findFreePort()).not.toBe(port + 1)
  server.close()
})
