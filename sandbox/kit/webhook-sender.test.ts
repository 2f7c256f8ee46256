import { expect, test } from 'vitest'
import { waitFor } from '#tests/support/meridian.ts'
import { startWebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { buildWebhookSender } from './webhook-sender.ts'

test('a webhook that is not accepted is composed and sent again, until the sender stops', async () => {
  const receiver = await startWebhookReceiver(500)
  const sender = buildWebhookSender()
  let attempts = 0
  sender.send(() => {
    attempts += 1
    return { url: receiver.url, headers: { 'x-attempt': String(attempts) }, body: '{}' }
  })
  await waitFor(() => receiver.webhooks[1])
  await sender.stop()
  expect(receiver.webhooks.map(({ headers }) => headers['x-attempt'])).toEqual(['1', '2'])
  await receiver.stop()
})
