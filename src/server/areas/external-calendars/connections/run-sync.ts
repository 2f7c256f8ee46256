import { LIMITS } from '#contract/shared/limits.ts'
import { DAY_MS, MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import {
  type CalendarAccess,
  type CalendarProvider,
  CalendarProviderError,
  type ChangesPage,
  type ExternalChange,
  MAX_BUSY_TIMES,
} from '#server/ports/external-calendar.ts'
import { announceTimeFreedInExternalCalendar } from '#server/records/freed-times/use-cases.ts'
import { deleteBusyTimeCopy, type UsedExternalCalendar } from './calendar-repository.ts'
import type { ConnectionRow } from './connection-repository.ts'
import type { SyncDeps, SyncedOwnEvents } from './deps.ts'
import { findCalendarOfOwnEvent, findOwnEvents } from './find-own-events.ts'
import { readWithinLimits, type SyncLimits } from './read-within-limits.ts'
import { renewSyncLease, type SyncLease } from './sync-lease-repository.ts'
import {
  type BusyTimeRow,
  clearSyncCursor,
  finishSync,
  hasMoreBusyTimesThan,
  listUnseenOwnEvents,
  lockSyncGeneration,
  type OwnEvent,
  replaceBusyTimes,
  startFullSync,
} from './sync-repository.ts'
import { toEventKey, toStorableText } from './to-event-key.ts'
import { toUnreadableRow, type UnreadableRow } from './to-unreadable-row.ts'
import { replaceAllUnreadableEvents, replaceUnreadableEvents } from './unreadable-repository.ts'

/** How long a lease lasts without renewal, in milliseconds. It is longer than one page may take. */
export const SYNC_LEASE_MS = 2 * MINUTE_MS

/** How far back the copy goes, so that the owner sees the current week. */
const PAST_WINDOW_MS = 7 * DAY_MS
/** How far ahead the copy must reach: as far as customers can book. Source: rules G6 and T10. */
const FUTURE_WINDOW_MS = 730 * DAY_MS
/** How much further ahead a full sync reads, so that the next full sync is needed only after this time. */
const FULL_SYNC_RESERVE_MS = 30 * DAY_MS

/**
 * Maximum number of busy times that a full sync tolerates in the old copy. Replacing one complete copy with another
 * never needs more.
 */
const MAX_OLD_GENERATION = 2 * MAX_BUSY_TIMES

/** Number of busy times per transaction, so that other transactions are not blocked for long. */
const BATCH = 500

/** Thrown when another process has taken over the sync of the connection. */
export class LeaseLostError extends Error {}

export type SyncContext = {
  readonly claim: SyncLease
  readonly connection: ConnectionRow
  readonly provider: CalendarProvider
  readonly access: CalendarAccess
  readonly calendar: UsedExternalCalendar
  readonly limits: SyncLimits
}

/**
 * Syncs one external calendar. Returns how many events were added, changed or deleted. The cursor is stored only after
 * every page was processed; a lost cursor starts a full sync. Source: rule G15.
 * @throws CalendarProviderError, LeaseLostError
 */
export async function syncCalendar(deps: SyncDeps, context: SyncContext): Promise<number> {
  const { id, sync_cursor, synced_until, generation } = context.calendar
  const isNear = (synced_until?.getTime() ?? 0) < deps.now() + FUTURE_WINDOW_MS
  if (sync_cursor === null || isNear || isInOtherZones(context.calendar)) return syncFully(deps, context)
  // Each incremental sync may add as many events as the limit, so only a full sync can determine whether the calendar
  // is too large. Source: rule G25.
  if (await hasMoreBusyTimesThan(deps.db, id, MAX_BUSY_TIMES)) return syncFully(deps, context)
  try {
    return await readCalendar(deps, context, { cursor: sync_cursor, generation })
  } catch (error) {
    if (!(error instanceof CalendarProviderError) || error.kind !== 'cursor_lost') throw error
    return syncFully(deps, context)
  }
}

/**
 * True when the external calendar has no time zone of its own and the set of Meridian calendars reading it now has
 * different zones than at the last sync. Source: rule G4.
 */
function isInOtherZones({ time_zone, read_in_zones, reader_zones }: UsedExternalCalendar): boolean {
  return time_zone === null && read_in_zones?.join() !== reader_zones.join()
}

async function syncFully(deps: SyncDeps, context: SyncContext): Promise<number> {
  const { claim, calendar } = context
  const generation = await inTransaction(deps.db, async (trx) => {
    await holdClaim(deps, trx, claim)
    // Every unfinished full sync leaves the busy times that it has read, so delete the copy when there are too many.
    // Source: rule G25.
    if (await hasMoreBusyTimesThan(trx, calendar.id, MAX_OLD_GENERATION))
      await deleteBusyTimeCopy(trx, calendar.id)
    return startFullSync(trx, calendar.id)
  })
  // The calendar was deleted in the meantime, together with its connection.
  if (generation === null) return 0
  return readCalendar(deps, context, { cursor: null, generation })
}

type Reading = { readonly cursor: string | null; readonly generation: number }

/** The progress of a sync. */
type Progress = {
  changedEvents: number
  /** The latest change to each of our own events, by event id. */
  readonly own: Map<string, ExternalChange>
  /**
   * The events that cannot be read, up to the limit, in a full sync. Null in an incremental sync, which stores them at
   * once.
   */
  readonly unreadable: Map<string, UnreadableRow> | null
  /** True when only a full sync can determine which other events cannot be read. */
  misses: boolean
}

async function readCalendar(
  deps: SyncDeps,
  context: SyncContext,
  { cursor, generation }: Reading,
): Promise<number> {
  const { calendar, provider, access, limits } = context
  const startedAt = deps.now()
  const window: Interval = {
    startMs: startedAt - PAST_WINDOW_MS,
    endMs: startedAt + FUTURE_WINDOW_MS + FULL_SYNC_RESERVE_MS,
  }
  const {
    external_id: externalId,
    time_zone: timeZone,
    reader_zones: readerZones,
    owner_email: ownerEmail,
  } = calendar
  const progress: Progress = {
    changedEvents: 0,
    own: new Map(),
    unreadable: cursor === null ? new Map() : null,
    misses: false,
  }
  let nextCursor: string | null = null
  const request = { calendar: { externalId, timeZone, readerZones, ownerEmail }, cursor, window }
  for await (const page of readWithinLimits(provider, access, request, limits)) {
    if (!(await storePage(deps, context, { generation, page, progress }))) return 0
    nextCursor = page.cursor
  }
  if (nextCursor === null) {
    throw new CalendarProviderError('unavailable', 'The provider ended its answer before it was complete.')
  }
  return finishReading(deps, context, { cursor, generation, startedAt, window, nextCursor, progress })
}

/** Stores a page in short transactions. Returns false when the calendar is no longer in use. */
async function storePage(
  deps: SyncDeps,
  { claim, calendar }: SyncContext,
  { generation, page, progress }: { generation: number; page: ChangesPage; progress: Progress },
): Promise<boolean> {
  for (const batch of toBatches(page.changes)) {
    const isStored = await inTransaction(deps.db, async (trx) => {
      await holdClaim(deps, trx, claim)
      if (!(await lockSyncGeneration(trx, calendar.id, generation))) return false
      const ownEvents = await findOwnEvents(
        trx,
        { id: calendar.id, connectionId: calendar.connection_id },
        batch.map(({ eventId, event }) => ({ eventId, appointmentId: event?.appointmentId ?? null })),
      )
      const own = batch.filter(({ eventId }) => ownEvents.has(eventId))
      const changed = await replaceBusyTimes(
        trx,
        { id: calendar.id, generation },
        {
          eventIds: batch.map(({ eventId }) => toEventKey(eventId)),
          ownEventIds: own.map(({ eventId }) => toEventKey(eventId)),
          rows: batch.flatMap((change) => toHeldRows(change, ownEvents.get(change.eventId))),
        },
      )
      const misses =
        progress.unreadable === null && (await replaceUnreadableEvents(trx, calendar.id, toNoted(batch)))
      // Reset the cursor now, because this sync may not reach its end.
      if (misses) await clearSyncCursor(trx, calendar.id)
      return { changed, own, misses }
    })
    if (isStored === false) return false
    collectUnreadable(progress, batch)
    progress.misses ||= isStored.misses
    progress.changedEvents += isStored.changed + isStored.own.length
    for (const change of isStored.own) progress.own.set(change.eventId, change)
  }
  // Extend the lease for a page without changes too.
  if (page.changes.length === 0) await holdClaim(deps, deps.db, claim)
  return true
}

function toNoted(changes: readonly ExternalChange[]) {
  return {
    eventIds: changes.map(({ eventId }) => toEventKey(eventId)),
    rows: changes.flatMap((change) => toUnreadableRow(change) ?? []),
  }
}

/** Collects the unreadable events of a full sync. If an event appears again on a later page, the later state counts. */
function collectUnreadable({ unreadable }: Progress, changes: readonly ExternalChange[]): void {
  if (unreadable === null) return
  const { eventIds, rows } = toNoted(changes)
  for (const eventId of eventIds) unreadable.delete(eventId)
  for (const row of rows) if (unreadable.size < LIMITS.unreadableEvents) unreadable.set(row.eventId, row)
}

function toHeldRows(change: ExternalChange, own: OwnEvent | undefined): BusyTimeRow[] {
  return toBusyRows(change).map((row) => {
    const time = { startMs: Date.parse(row.startsAt), endMs: Date.parse(row.endsAt) }
    return { ...row, appointmentCalendarId: findCalendarOfOwnEvent(own, time) }
  })
}

/** Splits changes into batches of about `BATCH` busy times. If an event changed twice, only the last change counts. */
function toBatches(changes: readonly ExternalChange[]): ExternalChange[][] {
  const last = new Map(changes.map((change) => [toEventKey(change.eventId), change]))
  const batches: ExternalChange[][] = []
  let room = 0
  for (const change of last.values()) {
    if (room <= 0) {
      batches.push([])
      room = BATCH
    }
    batches.at(-1)?.push(change)
    room -= 1 + (change.event?.occurrences.length ?? 0)
  }
  return batches
}

type Finished = Reading & {
  readonly startedAt: number
  readonly window: Interval
  readonly nextCursor: string
  readonly progress: Progress
}

async function finishReading(
  deps: SyncDeps,
  { claim, calendar, connection }: SyncContext,
  { cursor, generation, startedAt, window, nextCursor, progress }: Finished,
): Promise<number> {
  const isFullSync = cursor === null
  const unseen = isFullSync
    ? await listUnseenOwnEvents(deps.db, {
        externalCalendarId: calendar.id,
        seen: [...progress.own.keys()],
        startedAt: new Date(startedAt),
        now: new Date(startedAt),
        until: new Date(window.endMs),
      })
    : []
  const deleted = unseen.map((eventId): ExternalChange => ({ eventId, event: null }))
  const isFollowed = await applyChangesOfOwnEvents(deps, {
    externalCalendarId: calendar.id,
    changes: [...progress.own.values(), ...deleted],
    isFullSync,
    isFirstAfterReconnect: isFirst(calendar.followed_at, connection.reconnected_at),
    isCalendarGone: false,
  })
  return inTransaction(deps.db, async (trx) => {
    await holdClaim(deps, trx, claim)
    if (!(await lockSyncGeneration(trx, calendar.id, generation))) return 0
    if (progress.unreadable !== null) {
      await replaceAllUnreadableEvents(trx, calendar.id, [...progress.unreadable.values()])
    }
    const removed = await finishSync(trx, {
      externalCalendarId: calendar.id,
      generation,
      cursor: progress.misses ? null : nextCursor,
      isFollowed,
      startedAt: new Date(startedAt),
      full: isFullSync ? { until: new Date(window.endMs), zones: calendar.reader_zones } : null,
    })
    const changed = progress.changedEvents + removed + deleted.length
    if (changed > 0) await announceTimeFreedInExternalCalendar(deps, trx, calendar.id)
    return changed
  })
}

/** Handles changes to events that we wrote. Returns false when that failed; the busy times are stored nevertheless. */
export async function applyChangesOfOwnEvents(deps: SyncDeps, sync: SyncedOwnEvents): Promise<boolean> {
  try {
    await deps.applyExternalChanges(sync)
    return true
  } catch (err) {
    const { externalCalendarId } = sync
    deps.log.error({ err, externalCalendarId }, 'changes in an external calendar could not be followed')
    return false
  }
}

/**
 * True when no changes have been handled since the calendar was chosen, or since its account was reconnected. Source:
 * rule G13.
 */
function isFirst(followedAt: Date | null, reconnectedAt: Date | null): boolean {
  return followedAt === null || (reconnectedAt !== null && followedAt < reconnectedAt)
}

/** Extends the lease, and locks the connection until the transaction ends. @throws LeaseLostError */
async function holdClaim(deps: SyncDeps, db: SyncDeps['db'], claim: SyncLease): Promise<void> {
  const at = deps.now()
  if (!(await renewSyncLease(db, claim, { at: new Date(at), until: new Date(at + SYNC_LEASE_MS) }))) {
    throw new LeaseLostError('another process syncs this connection')
  }
}

const LONGEST_TITLE = 300

/**
 * Converts the busy times of an event to rows. Invalid occurrences are skipped, so that one malformed event does not
 * stop the sync.
 */
function toBusyRows({ eventId, event }: ExternalChange): Omit<BusyTimeRow, 'appointmentCalendarId'>[] {
  const rows = (event?.occurrences ?? [])
    .filter(({ startMs, endMs }) => isInstant(startMs) && isInstant(endMs) && startMs < endMs)
    .map(({ key, startMs, endMs, isAllDay }) => ({
      eventId: toEventKey(eventId),
      occurrence: toEventKey(key),
      startsAt: new Date(startMs).toISOString(),
      endsAt: new Date(endMs).toISOString(),
      title: toTitle(event?.title ?? null),
      isAllDay,
    }))
  return [...new Map(rows.map((row) => [row.occurrence, row])).values()]
}

function toTitle(title: string | null): string | null {
  const text = toStorableText(title ?? '').trim()
  return text === '' ? null : toStorableText(text.slice(0, LONGEST_TITLE))
}

/** True for the years 1 to 9999, which RFC 3339 can represent. */
function isInstant(ms: number): boolean {
  return ms >= -62_135_596_800_000 && ms <= 253_402_300_799_000
}
