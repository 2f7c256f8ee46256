import { randomBytes, randomUUID } from 'node:crypto'
import type { ChangeNotification, Subscription } from '@microsoft/microsoft-graph-types'
import { z } from 'zod'
import { MINUTE_MS, SECOND_MS } from '#core/shared/duration.ts'
import type { CalendarSandboxContext } from '#sandbox/calendars/world.ts'
import {
  addSandboxObject,
  findSandboxObject,
  listSandboxObjects,
  saveSandboxObject,
} from '#sandbox/kit/sandbox-objects.ts'
import { GraphErrorResponse, invalidRequestError, notFoundError } from './graph-fault.ts'
import { type SandboxSubscription, SUBSCRIPTION_COLLECTION, subscriptionKey, userIdOf } from './world.ts'

/**
 * Maximum lifetime of a subscription. Source: https://learn.microsoft.com/graph/api/resources/subscription#subscription-lifetime
 */
const MAX_LIFETIME_MS = 10_080 * MINUTE_MS
/** Timeout of the validation request, in milliseconds. */
const VALIDATION_MS = 10 * SECOND_MS
const MAX_SUBSCRIPTIONS = 1_000
const TENANT = '84bd8158-6d4d-4958-8b9f-9d6445542f95'

const asked = z.object({
  changeType: z.string().regex(/^(created|updated|deleted)(,(created|updated|deleted))*$/),
  notificationUrl: z.url({ protocol: /^https?$/ }),
  lifecycleNotificationUrl: z.url({ protocol: /^https?$/ }).optional(),
  resource: z.string().regex(/^\/?me\/calendars\/[^/]+\/events$/),
  expirationDateTime: z.iso.datetime({ offset: true }),
  clientState: z.string().max(128).default(''),
})

/** Creates a subscription. @throws GraphErrorResponse when the URL fails the validation, or the lifetime is too long */
export async function createSubscription(
  world: CalendarSandboxContext,
  { email, body }: { readonly email: string; readonly body: unknown },
): Promise<Subscription> {
  const parsed = asked.safeParse(body)
  if (!parsed.success) throw invalidRequestError('The subscription is invalid.')
  const { changeType, notificationUrl, lifecycleNotificationUrl, resource, expirationDateTime, clientState } =
    parsed.data
  const expiresAtMs = Date.parse(expirationDateTime)
  if (expiresAtMs > world.now() + MAX_LIFETIME_MS || expiresAtMs <= world.now()) {
    throw invalidRequestError('Subscription expiration can only be 10080 minutes in the future.')
  }
  for (const address of new Set([notificationUrl, lifecycleNotificationUrl ?? notificationUrl])) {
    await validate(world, address)
  }
  const subscription: SandboxSubscription = {
    id: randomUUID(),
    email,
    calendarId: decodeURIComponent(resource.replace(/^\/?me\/calendars\//, '').replace(/\/events$/, '')),
    notificationUrl,
    lifecycleUrl: lifecycleNotificationUrl ?? null,
    clientState,
    expiresAtMs,
    isEnded: false,
  }
  await addSandboxObject(world.db, SUBSCRIPTION_COLLECTION, subscriptionKey(subscription.id), subscription)
  return {
    id: subscription.id,
    resource,
    applicationId: world.clientId,
    changeType,
    clientState,
    notificationUrl,
    lifecycleNotificationUrl: subscription.lifecycleUrl,
    expirationDateTime: new Date(expiresAtMs).toISOString(),
    creatorId: userIdOf(email),
    latestSupportedTlsVersion: 'v1_2',
  }
}

/** @throws GraphErrorResponse when there is no such subscription */
export async function deleteSubscription(
  world: CalendarSandboxContext,
  email: string,
  id: string,
): Promise<void> {
  const kept = await findSandboxObject(world.db, SUBSCRIPTION_COLLECTION, subscriptionKey(id))
  if (kept === null || kept.isEnded || kept.email !== email) throw notFoundError()
  await end(world, kept)
}

/**
 * Notifies all subscribers of a calendar. A deleted calendar ends its subscriptions.
 * Source: https://learn.microsoft.com/graph/change-notifications-lifecycle-events
 */
export async function notifySubscribers(
  world: CalendarSandboxContext,
  calendarId: string,
  state: 'exists' | 'not_exists',
): Promise<void> {
  const all = await listSandboxObjects(world.db, SUBSCRIPTION_COLLECTION, { limit: MAX_SUBSCRIPTIONS })
  const open = all.filter((kept) => kept.calendarId === calendarId && !kept.isEnded)
  for (const kept of open.filter(({ expiresAtMs }) => expiresAtMs > world.now())) {
    if (state === 'not_exists') await endAndTell(world, kept)
    else push(world, kept.notificationUrl, toNotification(kept))
  }
}

async function endAndTell(world: CalendarSandboxContext, kept: SandboxSubscription): Promise<void> {
  await end(world, kept)
  if (kept.lifecycleUrl === null) return
  push(world, kept.lifecycleUrl, { ...toCommonParts(kept), lifecycleEvent: 'subscriptionRemoved' })
}

function push(world: CalendarSandboxContext, address: string, notification: ChangeNotification): void {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  world.push({ address, headers, body: JSON.stringify({ value: [notification] }) })
}

async function end(world: CalendarSandboxContext, kept: SandboxSubscription): Promise<void> {
  await saveSandboxObject(world.db, SUBSCRIPTION_COLLECTION, subscriptionKey(kept.id), {
    ...kept,
    isEnded: true,
  })
}

/** Source: https://learn.microsoft.com/graph/api/resources/changenotification */
function toNotification(kept: SandboxSubscription): ChangeNotification {
  return {
    ...toCommonParts(kept),
    id: randomUUID(),
    changeType: 'updated',
    resource: `Users/${userIdOf(kept.email)}/Events`,
  }
}

/** The fields of all notifications. Lifecycle notifications add only their event. */
function toCommonParts({ id, clientState, expiresAtMs }: SandboxSubscription): ChangeNotification {
  return {
    subscriptionId: id,
    subscriptionExpirationDateTime: new Date(expiresAtMs).toISOString(),
    clientState,
    tenantId: TENANT,
  }
}

/** Source: https://learn.microsoft.com/graph/change-notifications-delivery-webhooks#notificationurl-validation */
async function validate({ reach }: CalendarSandboxContext, address: string): Promise<void> {
  const question = `Validation: ${randomBytes(16).toString('hex')}`
  if ((await answerTo(reach(address), question)) !== question) {
    throw new GraphErrorResponse(400, {
      code: 'ValidationError',
      message: 'Subscription validation request failed. The endpoint did not send the token back.',
    })
  }
}

/** Returns the response to the validation request; null without one. */
async function answerTo(address: string | null, validationToken: string): Promise<string | null> {
  if (address === null) return null
  const url = new URL(address)
  url.searchParams.set('validationToken', validationToken)
  try {
    const headers = { 'content-type': 'text/plain; charset=utf-8' }
    const signal = AbortSignal.timeout(VALIDATION_MS)
    const response = await fetch(url, { method: 'POST', headers, signal })
    return response.status === 200 ? await response.text() : null
  } catch {
    return null
  }
}
