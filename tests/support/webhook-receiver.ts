import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookRequest } from '#server/ports/payment-provider.ts'

type WebhookReceiver = {
  readonly url: string
  /** Everything that was sent so far, in order. */
  readonly webhooks: readonly WebhookRequest[]
  readonly stop: () => Promise<void>
}

/**
 * Takes what a provider tells, on a free loopback port; with another `status` it does not take it. Microsoft's question whether
 * the address is ours is answered and not kept.
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
  // A listening TCP server has an address object, never a pipe name.
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
