import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto'
import {
  receiveGoogleCalendarNotification,
  receiveMicrosoftCalendarNotification,
} from '#contract/operations/addresses.ts'
import { HOUR_MS, MINUTE_MS } from '#core/shared/duration.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import {
  type CalendarProvider,
  CalendarProviderError,
  type CalendarProviderName,
} from '#server/ports/external-calendar.ts'
import { findRequestedPauseEnd, withProviderAccess } from './access-use-cases.ts'
import { deleteUnusedBusyTimeCopies } from './calendar-repository.ts'
import {
  type ChannelCalendar,
  type ChannelWithSecret,
  insertChannel,
  listCalendarsNeedingChannel,
  listChannelsWithSecret,
  listObsoleteChannels,
  markChannelStopped,
  type OpenChannel,
  postponeChannel,
} from './channel-repository.ts'
import type { AccessDeps, ExternalCalendarsDeps } from './deps.ts'
import { CALENDAR_CHANNELS_JOB } from './job-definitions.ts'
import { scheduleSync } from './queue-syncs.ts'

type ChannelDeps = AccessDeps & Pick<ExternalCalendarsDeps, 'baseUrl'>

/** Maximum number of channels to open per run, and to close per run. */
const CHANNELS_PER_RUN = 200
/**
 * Maximum duration of a run, in milliseconds; a run ends before the next one starts. New channels are opened only in
 * the first half.
 */
const LONGEST_ROUND_MS = 4 * MINUTE_MS
/**
 * Number of accounts without a response after which the provider counts as down. The rest of its accounts then wait for
 * the next run.
 */
const SILENT_ACCOUNTS = 3
/** Pause before retrying a channel that could not be opened, in milliseconds. It doubles up to `LONGEST_PAUSE_MS`. */
const FIRST_PAUSE_MS = 5 * MINUTE_MS
const LONGEST_PAUSE_MS = 6 * HOUR_MS

const NOTIFY = {
  google: receiveGoogleCalendarNotification,
  microsoft: receiveMicrosoftCalendarNotification,
} as const

/**
 * Opens missing channels, replaces those past half of their lifetime, and closes obsolete ones. Calendars without a
 * channel are still polled. Source: rule G16.
 */
export async function renewChannels(
  deps: ChannelDeps,
  { roundMs = LONGEST_ROUND_MS }: { readonly roundMs?: number } = {},
): Promise<void> {
  const startMs = performance.now()
  await deleteUnusedBusyTimeCopies(deps.db)
  const now = new Date(deps.now())
  const providers = (Object.keys(NOTIFY) as (keyof typeof NOTIFY)[]) // `NOTIFY` has no other keys.
    .filter((name) => canNotify(deps, deps.calendarProviders[name]))
  const unwatched = await listCalendarsNeedingChannel(deps.db, { providers, now, most: CHANNELS_PER_RUN })
  await openChannels(deps, unwatched, startMs + roundMs / 2)
  const needless = await listObsoleteChannels(deps.db, { now, most: CHANNELS_PER_RUN })
  for (const channel of needless) {
    if (performance.now() >= startMs + roundMs) return
    await runAndLogFailure(deps, channel, () => closeChannel(deps, channel))
  }
}

/** Opens channels until the time is over. Skips an account once it has not responded. */
async function openChannels(
  deps: ChannelDeps,
  calendars: readonly ChannelCalendar[],
  endMs: number,
): Promise<void> {
  const silent: ChannelCalendar[] = []
  const isLeftAlone = ({ connectionId, provider }: ChannelCalendar) =>
    silent.some((one) => one.connectionId === connectionId) ||
    silent.filter((one) => one.provider === provider).length >= SILENT_ACCOUNTS
  for (const calendar of calendars) {
    if (performance.now() >= endMs) return
    if (isLeftAlone(calendar)) continue
    const failure = await runAndLogFailure(deps, calendar, () => openChannel(deps, calendar))
    if (failure === null) continue
    if (isOfAccount(failure)) silent.push(calendar)
    await runAndLogFailure(deps, calendar, () => postpone(deps, calendar, failure))
  }
}

async function postpone(deps: ChannelDeps, calendar: ChannelCalendar, { error }: Failure): Promise<void> {
  const at = deps.now()
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(calendar.failedAttempts, 10), LONGEST_PAUSE_MS)
  const pausedUntil =
    error instanceof CalendarProviderError ? findRequestedPauseEnd(error, new Date(at)) : null
  await inTransaction(deps.db, (trx) =>
    postponeChannel(trx, calendar, {
      retryAt: new Date(at + pauseMs),
      isOfAccount: isOfAccount({ error }),
      pausedUntil,
    }),
  )
}

/** True when the failure concerns the whole account and not just this calendar. */
function isOfAccount({ error }: Failure): boolean {
  return (
    error instanceof CalendarProviderError && (error.kind === 'unavailable' || error.kind === 'rate_limited')
  )
}

/**
 * True when a provider can notify us. Providers send notifications only to HTTPS URLs. A sandbox runs on the same
 * machine and does not need HTTPS.
 */
function canNotify({ baseUrl }: ChannelDeps, provider: CalendarProvider | undefined): boolean {
  return provider?.push != null && (provider.isSandbox || baseUrl.startsWith('https:'))
}

async function openChannel(deps: ChannelDeps, calendar: ChannelCalendar): Promise<void> {
  const { id: externalCalendarId, connectionId, provider: name, externalId, isWatched } = calendar
  if (name !== 'google' && name !== 'microsoft') return
  const secret = randomBytes(32).toString('base64url')
  const createdAt = new Date(deps.now())
  const channel = await withProviderAccess(deps, connectionId, async ({ push }, access) =>
    push?.subscribe(access, {
      externalId,
      channelId: randomUUID(),
      secret,
      notifyUrl: toApiUrl(deps, NOTIFY[name]),
    }),
  )
  if (channel === undefined) return
  await inTransaction(deps.db, async (trx) => {
    // Sync once, because the provider did not report changes made before the channel was open.
    if (!isWatched) await scheduleSync(deps, trx, connectionId)
    await insertChannel(trx, { ...channel, externalCalendarId, secretHash: hashOf(secret), createdAt })
  })
}

/**
 * Marks a channel as closed and then closes it at the provider. In this order, its notifications are ignored even if
 * the provider cannot be reached.
 */
async function closeChannel(deps: ChannelDeps, { id, resourceId, connectionId }: OpenChannel): Promise<void> {
  await markChannelStopped(deps.db, id, new Date(deps.now()))
  await withProviderAccess(deps, connectionId, async ({ push }, access) =>
    push?.unsubscribe(access, { id, resourceId }),
  )
}

type Failure = { readonly error: unknown }

/** Runs `work` and logs a failure, so that one channel does not affect the others. Returns the failure, or null. */
async function runAndLogFailure(
  deps: ChannelDeps,
  { id, connectionId }: { readonly id: string; readonly connectionId: string },
  work: () => Promise<void>,
): Promise<Failure | null> {
  try {
    await work()
    return null
  } catch (error) {
    deps.log.warn({ err: error, id, connectionId }, 'a channel for notifications could not be changed')
    return { error }
  }
}

/** A notification that a provider sent through a channel. */
export type ChannelNotification = {
  readonly channelId: string
  readonly secret: string
  /**
   * `changed`: a sync is needed. `ended`: the provider has closed the channel. `ends`: the provider will close it soon.
   * `opened`: nothing needs to be done.
   */
  readonly kind: 'changed' | 'ended' | 'ends' | 'opened'
}

type NotificationDeps = Pick<AccessDeps, 'db' | 'now' | 'jobs'>

/**
 * Handles a batch of notifications: queues one sync per affected connection. One statement looks up all channels,
 * because anybody can send notifications. Returns false when no notification matches a channel and its secret. Source:
 * rule G15.
 */
export async function receiveChannelNotifications(
  deps: NotificationDeps,
  provider: Extract<CalendarProviderName, 'google' | 'microsoft'>,
  notifications: readonly ChannelNotification[],
): Promise<boolean> {
  const ids = [...new Set(notifications.map(({ channelId }) => channelId))]
  const channels = await listChannelsWithSecret(deps.db, { ids, provider, now: new Date(deps.now()) })
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

/** Handles the notifications of one channel. */
async function receive(
  deps: NotificationDeps,
  { id, connectionId }: ChannelWithSecret,
  kinds: readonly ChannelNotification['kind'][],
): Promise<void> {
  if (kinds.every((kind) => kind === 'opened')) return
  await inTransaction(deps.db, async (trx) => {
    if (kinds.includes('ended') || kinds.includes('ends')) {
      await markChannelStopped(trx, id, new Date(deps.now()))
      await deps.jobs.insert(trx, CALENDAR_CHANNELS_JOB, [{}])
    }
    await scheduleSync(deps, trx, connectionId)
  })
}

function isSecret(secret: string, secretHash: string): boolean {
  return timingSafeEqual(Buffer.from(hashOf(secret)), Buffer.from(secretHash))
}

/** Returns the hash of a secret to store: somebody who reads the table cannot use it to impersonate the provider. */
function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

/** Returns the absolute URL of one of our API operations, for a provider to call. */
export function toApiUrl(
  { baseUrl }: { readonly baseUrl: string },
  address: `${string} /api/${string}`,
  params: Readonly<Record<string, string>> = {},
): string {
  const [, path = ''] = address.split(' ')
  const filled = Object.entries(params).reduce((part, [name, value]) => part.replace(`:${name}`, value), path)
  return `${baseUrl}${filled}`
}
