import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookRequest } from '#server/ports/payment-provider.ts'

type WebhookReceiver = {
  readonly url: string
  /** All messages so far, oldest first. */
  readonly webhooks: readonly WebhookRequest[]
  readonly stop: () => Promise<void>
}

/**
 * Receives a provider's webhook messages on a free loopback port. A `status` other than 200 rejects them. Responds to Microsoft's
 * validation request without recording it.
 */
export async function startWebhookReceiver(status = 200): Promise<WebhookReceiver> {
  const webhooks: WebhookRequest[] = []
  const server = createServer(async (request, response) => {
    const token = new URL(request.url ?? '', 'http://webhooks.example').searchParams.get('validationToken')
    if (token !== null) return response.writeHead(status, { 'content-type': 'text/plain' }).end(token)
    webhooks.push({ headers: request.headers, rawBody: await bytesOf(request), account: null })
    return response.writeHead(status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // `address()` returns an object for a TCP server; only a pipe has a string.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    webhooks,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
