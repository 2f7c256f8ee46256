import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import {
  receiveGoogleCalendarNotification,
  receiveMicrosoftCalendarNotification,
} from '#contract/operations/addresses.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { CalendarProvider, CalendarProviderName } from '#server/ports/external-calendar.ts'
import { withAccess } from './access-use-cases.ts'
import { forgetUnused } from './calendar-repository.ts'
import {
  insertChannel,
  type KnownChannel,
  listKnownChannels,
  listNeedlessChannels,
  listUnwatched,
  type OpenChannel,
  stopChannel,
  type WatchedCalendar,
} from './channel-repository.ts'
import type { AccessDeps, ExternalCalendarsDeps } from './deps.ts'
import { CALENDAR_CHANNELS } from './job-definitions.ts'
import { hurrySync } from './queue-syncs.ts'
import { toOwnUrl } from './to-own-url.ts'

type ChannelDeps = AccessDeps & Pick<ExternalCalendarsDeps, 'baseUrl'>

/** Channels opened and closed in one round; the next one follows. */
const OPENED = 200

const NOTIFY = {
  google: receiveGoogleCalendarNotification,
  microsoft: receiveMicrosoftCalendarNotification,
} as const

/**
 * Opens the channels that are missing or have lived half of their life, and closes those that are not needed any more, the new
 * ones first. What cannot be opened is polled. Source: rule G16.
 */
export async function tendChannels(deps: ChannelDeps): Promise<void> {
  await forgetUnused(deps.db)
  const now = new Date(deps.now())
  const providers = (Object.keys(NOTIFY) as (keyof typeof NOTIFY)[]) // the keys of an object literal of that type
    .filter((name) => canNotify(deps, deps.calendarProviders[name]))
  const unwatched = await listUnwatched(deps.db, { providers, now, most: OPENED })
  for (const calendar of unwatched) await tolerate(deps, calendar, () => openChannel(deps, calendar))
  const needless = await listNeedlessChannels(deps.db, { now, most: OPENED })
  for (const channel of needless) await tolerate(deps, channel, () => closeChannel(deps, channel))
}

/** Providers send notifications to encrypted addresses only; a stand-in is on the same machine. */
function canNotify({ baseUrl }: ChannelDeps, provider: CalendarProvider | undefined): boolean {
  return provider?.push != null && (provider.isSandbox || baseUrl.startsWith('https:'))
}

async function openChannel(deps: ChannelDeps, calendar: WatchedCalendar): Promise<void> {
  const { id: externalCalendarId, connectionId, provider: name, externalId, isWatched } = calendar
  if (name !== 'google' && name !== 'microsoft') return
  const secret = randomBytes(32).toString('base64url')
  const createdAt = new Date(deps.now())
  const channel = await withAccess(deps, connectionId, async ({ push }, access) =>
    push?.subscribe(access, {
      externalId,
      channelId: randomUUID(),
      secret,
      notifyUrl: toOwnUrl(deps, NOTIFY[name]),
    }),
  )
  if (channel === undefined) return
  await inTransaction(deps.db, async (trx) => {
    await insertChannel(trx, { ...channel, externalCalendarId, secretHash: hashOf(secret), createdAt })
    // Nobody tells of what changed before it was open.
    if (!isWatched) await hurrySync(deps, trx, connectionId)
  })
}

/** Its notifications count no more, also when the provider cannot be told. */
async function closeChannel(deps: ChannelDeps, { id, resourceId, connectionId }: OpenChannel): Promise<void> {
  await stopChannel(deps.db, id, new Date(deps.now()))
  await withAccess(deps, connectionId, async ({ push }, access) =>
    push?.unsubscribe(access, { id, resourceId }),
  )
}

/** What goes wrong with one channel concerns no other one. */
async function tolerate(
  deps: ChannelDeps,
  { id, connectionId }: { readonly id: string; readonly connectionId: string },
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (err) {
    deps.log.warn({ err, id, connectionId }, 'a channel for notifications could not be changed')
  }
}

/** What a provider tells through a channel. */
export type Notification = {
  readonly channelId: string
  readonly secret: string
  /** `changed`: sync. `ended`: the provider closed the channel. `ends`: it closes it soon. `opened`: there is nothing to do. */
  readonly kind: 'changed' | 'ended' | 'ends' | 'opened'
}

type NotificationDeps = Pick<AccessDeps, 'db' | 'now' | 'jobs'>

/**
 * Takes what a provider tells at once: each sync that it asks for is queued, once however many ask for it. Everything is looked up
 * by one statement, because anybody can send notifications. False when no channel has any of these ids with its secret.
 * Source: rule G15.
 */
export async function receiveNotifications(
  deps: NotificationDeps,
  provider: Extract<CalendarProviderName, 'google' | 'microsoft'>,
  notifications: readonly Notification[],
): Promise<boolean> {
  const ids = [...new Set(notifications.map(({ channelId }) => channelId))]
  const channels = await listKnownChannels(deps.db, { ids, provider, now: new Date(deps.now()) })
  const told = channels.flatMap((channel) => {
    const ofChannel = notifications.filter(({ channelId }) => channelId === channel.id)
    const kinds = ofChannel
      .filter(({ secret }) => isSecret(secret, channel.secretHash))
      .map(({ kind }) => kind)
    return kinds.length === 0 ? [] : [{ channel, kinds }]
  })
  for (const { channel, kinds } of told) await receive(deps, channel, kinds)
  return told.length > 0
}

/** What one channel told at once. */
async function receive(
  deps: NotificationDeps,
  { id, connectionId }: KnownChannel,
  kinds: readonly Notification['kind'][],
): Promise<void> {
  if (kinds.every((kind) => kind === 'opened')) return
  await inTransaction(deps.db, async (trx) => {
    if (kinds.includes('ended') || kinds.includes('ends')) {
      await stopChannel(trx, id, new Date(deps.now()))
      await deps.jobs.insert(trx, CALENDAR_CHANNELS, [{}])
    }
    await hurrySync(deps, trx, connectionId)
  })
}

function isSecret(secret: string, secretHash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(secretHash))
}

/** The stored form of a secret: whoever reads the table cannot speak for the provider. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}
