import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { waitFor } from '#tests/support/meridian.ts'
import { buildWebhookSender } from './webhook-sender.ts'

test('a message that is not taken is sent again, composed anew; stopping ends that', async () => {
  const received: (string | undefined)[] = []
  const server = createServer((request, response) => {
    received.push(request.headers['x-attempt']?.toString())
    response.writeHead(500).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A listening TCP server has an address object, never a pipe name.
  const { port } = server.address() as AddressInfo
  const sender = buildWebhookSender()
  let attempts = 0
  sender.send(() => {
    attempts += 1
    return { url: `http://127.0.0.1:${port}`, headers: { 'x-attempt': String(attempts) }, body: '{}' }
  })
  await waitFor(() => received[1])
  await sender.stop()
  expect(received).toEqual(['1', '2'])
  server.closeAllConnections()
  server.close()
})
