import { createSign, createVerify, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import {
  addSandboxObject,
  findSandboxObject,
  listSandboxObjects,
  saveSandboxObject,
} from '#sandbox/kit/sandbox-objects.ts'
import type { WebhookSender } from '#sandbox/kit/webhook-sender.ts'
import { getCallingClientId } from './app-guard.ts'
import { parseRequestBody } from './create-order.ts'
import { notFoundError, PaypalErrorResponse } from './fault.ts'
import { makePaypalId } from './order.ts'
import { toEventResource, toPaypalTime } from './resources.ts'
import {
  type PaypalSandboxContext,
  type PendingEvent,
  type SandboxWebhook,
  WEBHOOK_COLLECTION,
} from './world.ts'

const webhookBody = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(2_048),
  event_types: z
    .array(z.strictObject({ name: z.string().regex(/^[A-Z.-]+$/) }))
    .min(1)
    .max(500),
})

/**
 * The body of a verification request. `webhook_event` is cut out of the raw text instead, because the signature covers its bytes.
 */
const verifyBody = z.object({
  auth_algo: z.string(),
  cert_url: z.string(),
  transmission_id: z.string(),
  transmission_sig: z.string(),
  transmission_time: z.string(),
  webhook_id: z.string(),
  webhook_event: z.looseObject({}),
})

const ALGORITHM = 'SHA256withRSA'
const CERT_URL = 'https://api.sandbox.paypal.com/v1/notifications/certs/CERT-sandbox'

/** Created on first use, because most processes send no webhook. */
let keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject } | undefined
function getKeys() {
  keys ??= generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return keys
}

/** Registers an app's webhooks. Source: https://developer.paypal.com/docs/api/webhooks/v1/ */
export function registerWebhooks(app: FastifyInstance, world: PaypalSandboxContext): void {
  app.post('/v1/notifications/webhooks', async (request, reply) => {
    const clientId = getCallingClientId(world, request)
    const { url, event_types } = parseRequestBody(webhookBody, request.body)
    const known = await listWebhooks(world, clientId)
    if (known.some((webhook) => webhook.url === url))
      throw new PaypalErrorResponse(400, 'WEBHOOK_URL_ALREADY_EXISTS')
    const eventTypes = event_types.map(({ name }) => name)
    const webhook = { id: makePaypalId(), clientId, url, eventTypes, isDeleted: false }
    await addSandboxObject(world.db, WEBHOOK_COLLECTION, webhook.id, webhook)
    return reply.code(201).send(toWebhook(webhook))
  })

  app.get('/v1/notifications/webhooks', async (request) => {
    const webhooks = await listWebhooks(world, getCallingClientId(world, request))
    return { webhooks: webhooks.map(toWebhook) }
  })

  app.delete<{ Params: { id: string } }>('/v1/notifications/webhooks/:id', async (request, reply) => {
    const webhook = await findSandboxObject(world.db, WEBHOOK_COLLECTION, request.params.id)
    if (webhook === null || webhook.isDeleted || webhook.clientId !== getCallingClientId(world, request))
      throw notFoundError()
    await saveSandboxObject(world.db, WEBHOOK_COLLECTION, webhook.id, { ...webhook, isDeleted: true })
    return reply.code(204).send()
  })

  app.register(async (verifying) => {
    verifying.removeContentTypeParser('application/json')
    verifying.addContentTypeParser(
      'application/json',
      { parseAs: 'string' },
      async (_: unknown, text: string) => text,
    )
    verifying.post('/v1/notifications/verify-webhook-signature', async (request) => {
      getCallingClientId(world, request)
      const text = z.string().parse(request.body)
      const { webhook_event: _event, ...asked } = parseRequestBody(verifyBody, JSON.parse(text))
      // The adapter sends `webhook_event` as the last field.
      const event = text.slice(
        text.indexOf('"webhook_event":') + '"webhook_event":'.length,
        text.lastIndexOf('}'),
      )
      const isOurs =
        asked.auth_algo === ALGORITHM &&
        asked.cert_url === CERT_URL &&
        createVerify('RSA-SHA256')
          .update(signedText(asked.transmission_id, asked.transmission_time, asked.webhook_id, event))
          .verify(getKeys().publicKey, asked.transmission_sig, 'base64')
      return { verification_status: isOurs ? 'SUCCESS' : 'FAILURE' }
    })
  })
}

type Delivery = Pick<PaypalSandboxContext, 'db' | 'now'> & {
  readonly sender: WebhookSender
  readonly reach: (url: string) => string | null
}

/** Sends an event to all webhooks of the app that subscribed to its type. */
export async function sendToWebhooks(
  { db, now, sender, reach }: Delivery,
  event: PendingEvent,
): Promise<void> {
  const body = JSON.stringify(toEventResource(event.type, event.resource, now()))
  for (const webhook of await listWebhooks({ db }, event.clientId)) {
    if (!webhook.eventTypes.includes(event.type)) continue
    sender.send(() => {
      const url = reach(webhook.url)
      return url === null ? null : { url, body, headers: sign(body, webhook.id, now()) }
    })
  }
}

/**
 * Signs a webhook request. PayPal's API description requires a signature to start with a letter or digit, so it signs again until
 * one does.
 */
function sign(body: string, webhookId: string, nowMs: number): Record<string, string> {
  const transmissionId = randomUUID()
  const time = toPaypalTime(nowMs)
  const signature = createSign('RSA-SHA256')
    .update(signedText(transmissionId, time, webhookId, body))
    .sign(getKeys().privateKey, 'base64')
  if (!/^\w/.test(signature)) return sign(body, webhookId, nowMs)
  return {
    'content-type': 'application/json',
    'paypal-auth-algo': ALGORITHM,
    'paypal-cert-url': CERT_URL,
    'paypal-transmission-id': transmissionId,
    'paypal-transmission-sig': signature,
    'paypal-transmission-time': time,
  }
}

/** Source: https://developer.paypal.com/api/rest/webhooks/rest/#link-messagesignature */
function signedText(transmissionId: string, time: string, webhookId: string, body: string): string {
  return [transmissionId, time, webhookId, crc32(body)].join('|')
}

async function listWebhooks(
  { db }: Pick<PaypalSandboxContext, 'db'>,
  clientId: string,
): Promise<SandboxWebhook[]> {
  const webhooks = await listSandboxObjects(db, WEBHOOK_COLLECTION)
  return webhooks.filter((webhook) => webhook.clientId === clientId && !webhook.isDeleted)
}

function toWebhook({ id, url, eventTypes }: SandboxWebhook) {
  return { id, url, event_types: eventTypes.map((name) => ({ name })), links: [] }
}
