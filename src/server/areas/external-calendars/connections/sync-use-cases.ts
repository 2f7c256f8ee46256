import { randomUUID } from 'node:crypto'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#core/shared/duration.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import { CalendarProviderError, CalendarTooLargeError } from '#server/ports/external-calendar.ts'
import { findRequestedPauseEnd, withProviderAccess } from './access-use-cases.ts'
import {
  listUsedExternalCalendars,
  storeListedCalendars,
  type UsedExternalCalendar,
} from './calendar-repository.ts'
import { type ConnectionRow, findConnection } from './connection-repository.ts'
import type { SyncDeps } from './deps.ts'
import { markFailureReported } from './expiry-repository.ts'
import {
  CALENDAR_SLOW_SYNC_JOB,
  CALENDAR_SYNC_JOB,
  CALENDAR_TROUBLE_MAIL_JOB,
  type CalendarSyncJob,
} from './job-definitions.ts'
import { awaitWithinLimits, TooSlowError } from './read-within-limits.ts'
import {
  applyChangesOfOwnEvents,
  LeaseLostError,
  SYNC_LEASE_MS,
  type SyncContext,
  syncCalendar,
} from './run-sync.ts'
import {
  acquireDueSyncLeases,
  acquireSyncLease,
  deferToSlowSync,
  endSyncLease,
  findLongestOverdueConnection,
  releaseSyncLease,
  type SyncLease,
} from './sync-lease-repository.ts'

/**
 * The result of trying to sync a connection. `busy`: another process is syncing it or another account of its owner, or
 * it is not due or not active. `set_aside`: it takes longer than a quick sync.
 */
type SyncResult =
  | { readonly kind: 'done' | 'failed'; readonly changedEvents: number; readonly problem: string | null }
  | { readonly kind: 'expired' | 'busy' | 'set_aside' }

/** Interval at which a connection is synced without a notification, in milliseconds. Source: rule G15. */
const POLL_MS = 10 * MINUTE_MS
/** The first pause after a failure, in milliseconds. It doubles up to `POLL_MS`. */
const FIRST_PAUSE_MS = MINUTE_MS
/** Interval at which an account's list of calendars is fetched, in milliseconds. */
const LIST_MS = DAY_MS
/** Interval at which the list is fetched while a calendar in use is missing from it, in milliseconds. */
const LIST_MISSING_MS = HOUR_MS
/** How long a calendar must be missing from the list before it counts as gone, in milliseconds. Source: rule G8. */
const MISSING_MS = DAY_MS
/**
 * Number of calendars without a response after which the server counts as down. The other calendars then wait for the
 * next sync.
 */
const SILENT_CALENDARS = 2

/**
 * The time limit for syncing a connection, in milliseconds. It doubles after each failure, up to `LONGEST_SYNC_MS`, so
 * that the full sync of a large calendar on a slow server eventually succeeds, although it starts over each time.
 * Source: rule G15.
 */
const SYNC_MS = 3 * MINUTE_MS
const LONGEST_SYNC_MS = 20 * MINUTE_MS

/**
 * The time limits for a sync, and for each response in it, on the workers for quick syncs, in milliseconds. Most syncs
 * take a second. A sync that takes longer starts over on the workers for slow syncs, and so does the connection's next
 * sync. Source: rule G15.
 */
const QUICK_SYNC_MS = 20 * SECOND_MS
const QUICK_PAGE_MS = 5 * SECOND_MS

/**
 * Syncs the external calendars in use of a connection, one after the other. Only one process does so at a time; if it
 * is killed, the next sync continues after the last calendar that was finished. With `queuedAt`, does nothing if a sync
 * has ended since then. Source: rule G15.
 */
export async function syncConnection(
  deps: SyncDeps,
  connectionId: string,
  {
    queuedAt = null,
    syncMs = SYNC_MS,
    isQuick = false,
  }: { queuedAt?: Date | null; syncMs?: number; isQuick?: boolean } = {},
): Promise<SyncResult> {
  const claim: SyncLease = { connectionId, token: randomUUID() }
  const at = deps.now()
  const times = { at: new Date(at), until: new Date(at + SYNC_LEASE_MS), queuedAt }
  const connection = await acquireSyncLease(deps.db, claim, times)
  if (connection === null) return { kind: 'busy' }
  const startMs = performance.now()
  const limitMs = Math.min(syncMs * 2 ** Math.min(connection.failed_attempts, 10), LONGEST_SYNC_MS)
  const limits = isQuick
    ? { endMs: startMs + QUICK_SYNC_MS, pageMs: QUICK_PAGE_MS }
    : { endMs: startMs + limitMs }
  const context = { claim, changedEvents: 0, startMs, limits, isQuick }
  try {
    const failure = await withProviderAccess(deps, connectionId, (provider, access) =>
      syncCalendars(deps, { ...context, connection, provider, access }, (changed) => {
        context.changedEvents += changed
      }),
    )
    return await finish(deps, connection, { ...context, failure })
  } catch (error) {
    if (error instanceof LeaseLostError) return { kind: 'busy' }
    if (!(error instanceof CalendarProviderError)) {
      await releaseSyncLease(deps.db, claim)
      throw error
    }
    if (error.kind === 'expired') {
      await releaseSyncLease(deps.db, claim)
      return { kind: 'expired' }
    }
    if (isQuick && error instanceof TooSlowError) {
      await deferToSlowSync(deps.db, claim)
      return { kind: 'set_aside' }
    }
    return finish(deps, connection, { ...context, failure: error })
  }
}

/**
 * Syncs a connection, or hands it to the workers for slow syncs if its last sync failed or it takes long. Source: rule
 * G15.
 */
export async function syncOrDefer(deps: SyncDeps, job: CalendarSyncJob): Promise<void> {
  const { connectionId, queuedAt } = job
  const connection = await findConnection(deps.db, connectionId)
  const isSlow = connection !== null && (connection.failed_attempts > 0 || connection.is_slow)
  const isSetAside =
    isSlow ||
    (await syncConnection(deps, connectionId, { queuedAt: new Date(queuedAt), isQuick: true })).kind ===
      'set_aside'
  if (isSetAside) await deps.jobs.send(CALENDAR_SLOW_SYNC_JOB, job)
}

type Run = Omit<SyncContext, 'calendar'> & { readonly isQuick: boolean }

/** Returns the first failure of a calendar, or null when all were synced. */
async function syncCalendars(
  deps: SyncDeps,
  run: Run,
  count: (changedEvents: number) => void,
): Promise<CalendarProviderError | null> {
  const { connection } = run
  const listedAtMs = connection.listed_at?.getTime() ?? 0
  const isMissing = (await listUsedExternalCalendars(deps.db, connection.id)).some(
    ({ missing_since }) => missing_since !== null,
  )
  const pauseMs = isMissing ? LIST_MISSING_MS : LIST_MS
  if (deps.now() - listedAtMs >= pauseMs) await refreshList(deps, run)
  const used = await listUsedExternalCalendars(deps.db, connection.id)
  let failure = toMissingProblem(used)
  let silent = 0
  // After a failure, start with another calendar, so that one that never responds cannot block the others forever.
  const first = connection.failed_attempts % Math.max(used.length, 1)
  for (const calendar of [...used.slice(first), ...used.slice(0, first)]) {
    if (performance.now() >= run.limits.endMs) {
      failure ??= toLate(run)
      break
    }
    const context = { ...run, calendar }
    try {
      count(await syncCalendar(deps, context))
    } catch (error) {
      const problem = await toProblem(deps, context, error)
      if (problem?.kind === 'unavailable') silent += 1
      failure ??= problem
      if (silent >= SILENT_CALENDARS) break
    }
  }
  return failure
}

/**
 * Returns the error for a sync that takes too long.
 * @throws TooSlowError in a quick sync, which then starts over on a worker for slow syncs
 */
function toLate({ isQuick }: Run): TooSlowError {
  const late = new TooSlowError('unavailable', 'The calendars could not be read to the end in time.')
  if (isQuick) throw late
  return late
}

/**
 * Returns the failure to show to the owner when the provider's list lacks a calendar in use. Null when none is missing.
 */
function toMissingProblem(used: readonly UsedExternalCalendar[]): CalendarProviderError | null {
  const missing = used.find(({ missing_since }) => missing_since !== null)
  if (missing === undefined) return null
  return new CalendarProviderError(
    'unavailable',
    `The provider does not list the calendar “${missing.name}”.`,
  )
}

/**
 * Interprets the failure of one calendar. A failure of the whole account is rethrown and ends the sync.
 * @throws LeaseLostError, CalendarProviderError `expired`, `rate_limited`, TooSlowError in a quick sync
 */
async function toProblem(
  deps: SyncDeps,
  run: SyncContext & Run,
  error: unknown,
): Promise<CalendarProviderError | null> {
  if (error instanceof LeaseLostError) throw error
  if (!(error instanceof CalendarProviderError)) {
    deps.log.error(
      { err: error, connectionId: run.connection.id },
      'an external calendar could not be synced',
    )
    return new CalendarProviderError('refused', 'One of the calendars could not be read.', { cause: error })
  }
  if (error.kind === 'expired' || error.kind === 'rate_limited') throw error
  if (run.isQuick && error instanceof TooSlowError) throw error
  if (error.kind !== 'gone') return error
  await refreshList(deps, run, run.calendar.id)
  const present = await listUsedExternalCalendars(deps.db, run.connection.id)
  return present.some(({ id }) => id === run.calendar.id) ? error : null
}

/**
 * Fetches the list of calendars again. `unreadableId` is a calendar that the provider reported as gone. The owner is
 * asked about appointments in calendars that are gone. Source: rules G8 and G13.
 */
async function refreshList(
  deps: SyncDeps,
  { connection, provider, access, limits }: Omit<SyncContext, 'calendar'>,
  unreadableId: string | null = null,
): Promise<void> {
  const listed = await awaitWithinLimits(provider.listCalendars(access), limits)
  const present = new Set(listed.map(({ externalId }) => externalId))
  const used = await listUsedExternalCalendars(deps.db, connection.id)
  const missingTooLong = (since: Date | null) => since !== null && deps.now() - since.getTime() >= MISSING_MS
  const gone = used.filter(
    ({ id, external_id, missing_since }) =>
      !present.has(external_id) && (id === unreadableId || missingTooLong(missing_since)),
  )
  for (const calendar of gone) {
    await applyChangesOfOwnEvents(deps, {
      externalCalendarId: calendar.id,
      changes: [],
      isFullSync: false,
      isFirstAfterReconnect: false,
      isCalendarGone: true,
    })
  }
  await inTransaction(deps.db, (trx) =>
    storeListedCalendars(trx, connection.id, {
      listed,
      listedAt: new Date(deps.now()),
      goneIds: gone.map(({ id }) => id),
    }),
  )
}

type Finish = {
  readonly claim: SyncLease
  readonly changedEvents: number
  /** When the sync started, as a value of `performance.now()`. */
  readonly startMs: number
  readonly failure: CalendarProviderError | null
}

async function finish(
  deps: SyncDeps,
  connection: ConnectionRow,
  { claim, changedEvents, startMs, failure }: Finish,
): Promise<SyncResult> {
  const at = deps.now()
  const pauseMs = failure === null ? POLL_MS : pauseAfter(failure, connection.failed_attempts)
  const problem = failure?.message ?? null
  const asked = failure === null ? null : findRequestedPauseEnd(failure, new Date(at))
  const nextAt = new Date(at + addJitter(asked === null ? pauseMs : asked.getTime() - at))
  const isQuickAgain = failure === null && performance.now() - startMs < QUICK_PAGE_MS
  const isSlow = connection.is_slow && !isQuickAgain
  const ending = { at: new Date(at), nextAt, problem, pausedUntil: asked, isSlow }
  if (failure !== null) {
    deps.log.warn({ err: failure, connectionId: connection.id }, 'a sync of external calendars failed')
  }
  await inTransaction(deps.db, async (trx) => {
    await endSyncLease(trx, claim, ending)
    // A notification may have arrived during this sync, or another account of the owner may have waited for it to end.
    const next = await findLongestOverdueConnection(trx, connection.user_id, ending.at)
    if (next !== null) {
      await deps.jobs.insert(trx, CALENDAR_SYNC_JOB, [
        { connectionId: next, queuedAt: ending.at.toISOString() },
      ])
    }
    if (failure !== null)
      await notifyOwner(deps, trx, { connectionId: connection.id, failure, at: ending.at })
    // The provider works again, but the pause between writes may have become long. Source: rule G11.
    if (failure === null && connection.failed_attempts > 0)
      await deps.writePendingEventsOfConnection(trx, connection.id)
  })
  if (changedEvents > 0) {
    deps.log.info({ connectionId: connection.id, changedEvents }, 'external calendars were synced')
  }
  return { kind: failure === null ? 'done' : 'failed', changedEvents, problem }
}

/** How long every sync must fail before the owner is notified, in milliseconds. Source: rule G17. */
const NOTIFIED_AFTER_MS = 6 * HOUR_MS

/** Notifies the owner of a lasting failure, at most once until a sync succeeds again. Source: rule G17. */
async function notifyOwner(
  deps: SyncDeps,
  trx: Trx,
  {
    connectionId,
    failure,
    at,
  }: { readonly connectionId: string; readonly failure: CalendarProviderError; readonly at: Date },
): Promise<void> {
  const isLasting =
    failure.kind === 'gone' || failure.kind === 'forbidden' || failure instanceof CalendarTooLargeError
  const failingBefore = new Date(at.getTime() - (isLasting ? 0 : NOTIFIED_AFTER_MS))
  if (!(await markFailureReported(trx, connectionId, { at, failingBefore }))) return
  await deps.jobs.insert(trx, CALENDAR_TROUBLE_MAIL_JOB, [{ connectionId, toldAt: at.toISOString() }])
}

/**
 * Returns the pause after a failure for which the provider requested none, in milliseconds. It grows with each failure.
 */
function pauseAfter({ kind }: CalendarProviderError, failedAttempts: number): number {
  if (kind !== 'unavailable' && kind !== 'rate_limited') return POLL_MS
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failedAttempts, 10), POLL_MS)
}

/** Lengthens a pause by up to a quarter, so that many connections do not sync at the same moment. */
function addJitter(pauseMs: number): number {
  return Math.round(pauseMs * (1 + Math.random() / 4))
}

/** Maximum number of syncs queued per poll; the next poll runs a minute later. */
const MAX_SYNCS_PER_POLL = 500
/** When a polled connection becomes due again, in milliseconds, in case no worker gets to it. */
const REQUEUE_MS = 3 * MINUTE_MS

/** Queues the syncs that are due. Source: rule G15. */
export async function queueDueSyncs(deps: Pick<SyncDeps, 'db' | 'now' | 'jobs'>): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    const at = new Date(deps.now())
    const againAt = new Date(at.getTime() + REQUEUE_MS)
    const due = await acquireDueSyncLeases(trx, { at, againAt, most: MAX_SYNCS_PER_POLL })
    if (due.length === 0) return
    const queuedAt = at.toISOString()
    await deps.jobs.insert(
      trx,
      CALENDAR_SYNC_JOB,
      due.map((connectionId) => ({ connectionId, queuedAt })),
    )
  })
}
