import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { findFreePort } from './free-port.ts'

/** Linux gives ports away from here on, unless it is configured otherwise (ip(7), ip_local_port_range). */
const FIRST_PORT_OF_SYSTEM = 32_768

test('a free port is none that the system gives away by itself', async () => {
  for (let times = 0; times < 20; times++) {
    expect(await findFreePort()).toBeLessThan(FIRST_PORT_OF_SYSTEM)
  }
})

test('a free port is another one each time, and none on which a server listens', async () => {
  const port = await findFreePort()
  // The one that would be tried next.
  const server = createServer().listen(port + 1, '127.0.0.1')
  await once(server, 'listening')
  expect(await findFreePort()).not.toBe(port + 1)
  server.close()
})
