import {
  type ChangedEvent,
  classifyEventChange,
  findSyncConfirmationReason,
  SIMULTANEOUS_CHANGES_MS,
  type SyncConfirmationReason,
} from '#core/external-calendars/external-change.ts'
import { type Interval, isSameInterval } from '#core/shared/interval.ts'
import { cancelForDeletedEvent } from '#server/areas/appointments/actions/cancel-appointment.ts'
import { moveAppointment } from '#server/areas/appointments/moves/use-cases.ts'
import { withProviderAccess } from '#server/areas/external-calendars/connections/access-use-cases.ts'
import { markBusyTimeAsAppointment } from '#server/areas/external-calendars/connections/busy-repository.ts'
import type { SyncedOwnEvents } from '#server/areas/external-calendars/connections/deps.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { CalendarProviderError, type ExternalEvent } from '#server/ports/external-calendar.ts'
import { queueEventWrite } from '#server/records/appointments/event-job.ts'
import { requestEventWrite } from '#server/records/appointments/outbox-repository.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import {
  countAppliedChanges,
  deleteExternalChanges,
  hasOtherBusyTimes,
  saveExternalChange,
} from './change-repository.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import { findMovedEvent, type MovedEvent } from './find-moved-event.ts'
import {
  deleteEvent,
  type EventState,
  findEventState,
  listAppointmentsByEventRef,
  listUpcomingWithEvent,
  lockAppointmentForComparison,
  type StoredAppointmentEvent,
  updateEvent,
} from './repository.ts'
import { isEventRewriteRequested, restoreEvent } from './restore-event.ts'
import {
  clearRequestIfMatching,
  findOwnerTitle,
  findSingleTime,
  toEventContent,
  toEventTime,
} from './write-event.ts'

/** The event of an appointment, as found by a sync. */
type SyncedEvent = {
  readonly key: AppointmentKey
  readonly state: EventState
  readonly written: StoredAppointmentEvent
  /** The event at the provider; null when it was deleted. */
  readonly providerEvent: ExternalEvent | null
}

/**
 * Applies the owner's changes to our events in an external calendar: moving an event moves its appointment, and
 * deleting it cancels the appointment. If the changes look like a mistake, none is applied and the owner is asked. If
 * the same changes are delivered again, this does nothing. Source: rules G12 to G14.
 */
export async function applyExternalChanges(
  deps: AppointmentEventsDeps,
  sync: SyncedOwnEvents,
): Promise<void> {
  const found = sync.isCalendarGone ? await listAllAsDeleted(deps, sync) : await listChangedEvents(deps, sync)
  const toApply: SyncedEvent[] = []
  for (const event of found) {
    const kind = classifyChange(deps, event)
    if (kind === 'none') await recordUnchanged(deps, event)
    else if (kind === 'stale') await rewriteEvent(deps, event)
    else if (kind === 'replaced') await recreateEvent(deps, event)
    else if (event.state.settings.twoWaySync) toApply.push(event)
  }
  if (toApply.length === 0) return
  const reason = await findReasonToAsk(deps, sync, toApply)
  for (const event of toApply) {
    // If the owner was asked about a change, do not apply it automatically when a later sync reports it again.
    const asked = reason ?? event.state.undecided
    await (asked === null ? followChange(deps, event) : listForOwner(deps, event, asked))
  }
}

async function listChangedEvents(deps: AppointmentEventsDeps, sync: SyncedOwnEvents): Promise<SyncedEvent[]> {
  const providerEventOf = new Map(sync.changes.map(({ eventId, event }) => [eventId, event]))
  const known = await listAppointmentsByEventRef(deps.db, sync.externalCalendarId, [
    ...providerEventOf.keys(),
  ])
  const found: SyncedEvent[] = []
  for (const { key, eventRef } of known) {
    const event = await findSyncedEvent(deps, key, providerEventOf.get(eventRef) ?? null)
    if (event !== null && (!isKnown(event) || isReverted(deps, event))) found.push(event)
  }
  return found
}

/**
 * True when nothing has changed since we wrote the event, or since we refused a change and requested a rewrite. While
 * writing is off, the deletion of an event after a refused move is a new change.
 */
function isKnown({ state, written, providerEvent }: SyncedEvent): boolean {
  if (written.etag === null) return isEventRewriteRequested(written)
  if (providerEvent === null) return isEventRewriteRequested(written) && state.settings.autoSync
  return providerEvent.etag === written.etag
}

/**
 * True when a change about which the owner was asked has been undone at the provider, possibly with the earlier etag.
 */
function isReverted(deps: AppointmentEventsDeps, event: SyncedEvent): boolean {
  return (
    event.state.undecided !== null && event.providerEvent !== null && classifyChange(deps, event) === 'none'
  )
}

async function listAllAsDeleted(deps: AppointmentEventsDeps, sync: SyncedOwnEvents): Promise<SyncedEvent[]> {
  const keys = await listUpcomingWithEvent(deps.db, sync.externalCalendarId, new Date(deps.now()))
  const found: SyncedEvent[] = []
  for (const key of keys) {
    const event = await findSyncedEvent(deps, key, null)
    if (event !== null) found.push(event)
  }
  return found
}

async function findSyncedEvent(
  deps: AppointmentEventsDeps,
  key: AppointmentKey,
  providerEvent: ExternalEvent | null,
): Promise<SyncedEvent | null> {
  const state = await findEventState(deps.db, key)
  if (state === null || state.written === null) return null
  return { key, state, written: state.written, providerEvent }
}

function classifyChange(
  deps: Pick<AppointmentEventsDeps, 'now'>,
  { state, written, providerEvent }: SyncedEvent,
) {
  const { status, released_at, starts_at } = state.details
  return classifyEventChange({
    isUpcoming: status !== 'cancelled' && released_at === null && starts_at.getTime() > deps.now(),
    appointmentTime: toEventTime(state.details),
    written: written.time,
    eventTime: toProviderTime(providerEvent),
  })
}

function toProviderTime(providerEvent: ExternalEvent | null): ChangedEvent['eventTime'] {
  if (providerEvent === null) return 'deleted'
  return providerEvent.isInvitation ? 'foreign' : findSingleTime(providerEvent)
}

/**
 * Records the event's current etag, and the title that the owner gave it, for the next write. Deletes a pending change,
 * because it has been undone. Source: rules G13 and G14.
 */
async function recordUnchanged(
  { db }: AppointmentEventsDeps,
  { key, state, written, providerEvent }: SyncedEvent,
): Promise<void> {
  if (providerEvent !== null) await deleteExternalChanges(db, key)
  if (providerEvent === null || isEventRewriteRequested(written)) return
  await updateEvent(db, key, {
    etag: providerEvent.etag,
    ownerTitle: findOwnerTitle(providerEvent, state.details),
  })
}

/**
 * Rewrites the event, because the appointment has been moved in Meridian since. The event gets the new time or is
 * recreated.
 */
async function rewriteEvent(deps: AppointmentEventsDeps, { key }: SyncedEvent): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    await requestEventWrite(trx, key)
    await queueEventWrite(deps, trx, { ...key, isNeeded: true })
  })
}

/**
 * Creates our event again under a new id, because somebody else's event now has its id. That event is not touched, and
 * its content does not count as a change by the owner. Source: rule G27.
 */
async function recreateEvent(deps: AppointmentEventsDeps, { key, written }: SyncedEvent): Promise<void> {
  deps.log.warn(
    { ...key, eventRef: written.eventRef },
    'an event of somebody else has the id of an appointment’s event',
  )
  await inTransaction(deps.db, async (trx) => {
    await deleteEvent(trx, key)
    await deleteExternalChanges(trx, key)
    await requestEventWrite(trx, key)
    await queueEventWrite(deps, trx, { ...key, isNeeded: true })
  })
}

async function findReasonToAsk(
  deps: AppointmentEventsDeps,
  sync: SyncedOwnEvents,
  toApply: readonly SyncedEvent[],
): Promise<SyncConfirmationReason | null> {
  const { isCalendarGone, isFirstAfterReconnect, externalCalendarId } = sync
  const deleted = toApply.filter(({ providerEvent }) => providerEvent === null)
  const calendarIds = [...new Set(toApply.map(({ key }) => key.calendarId))]
  const now = deps.now()
  const since = new Date(now - SIMULTANEOUS_CHANGES_MS)
  const isEmpty = async () => {
    const left = await listUpcomingWithEvent(deps.db, externalCalendarId, new Date(now))
    return left.length <= deleted.length && !(await hasOtherBusyTimes(deps.db, externalCalendarId))
  }
  return findSyncConfirmationReason({
    isCalendarGone,
    isFirstAfterReconnect,
    deletions: deleted.length,
    recentDeletions: await countAppliedChanges(deps.db, { calendarIds, kind: 'cancelled', since }),
    moves: toApply.length - deleted.length,
    recentMoves: await countAppliedChanges(deps.db, { calendarIds, kind: 'moved', since }),
    isEmpty: deleted.length > 1 && (await isEmpty()),
  })
}

async function listForOwner(
  deps: AppointmentEventsDeps,
  { key, written, providerEvent }: SyncedEvent,
  reason: SyncConfirmationReason,
): Promise<void> {
  const { externalCalendarId } = written
  // If an event no longer has a single time, use the time that was last written: the event is restored when the owner
  // decides to apply the change.
  const time = providerEvent === null ? null : (findSingleTime(providerEvent) ?? written.time)
  await saveExternalChange(deps.db, key, {
    externalCalendarId,
    reason,
    time,
    noticedAt: new Date(deps.now()),
  })
}

/**
 * Applies a change after asking the provider once more, because a customer will be notified: a sync can be outdated, or
 * may have missed an event. The event of a session concerns several customers, so its change waits for the owner's
 * decision. Source: rule G35.
 */
async function followChange(deps: AppointmentEventsDeps, earlier: SyncedEvent): Promise<void> {
  const providerEvent =
    (await refetchChange(deps, earlier.written)) ?? (await adoptReplacement(deps, earlier))?.event ?? null
  const event = await findSyncedEvent(deps, earlier.key, providerEvent)
  if (event === null) return
  const kind = classifyChange(deps, event)
  if (kind === 'replaced') await recreateEvent(deps, event)
  if (event.state.session !== null) {
    if (kind === 'deleted' || kind === 'moved') await listForOwner(deps, event, 'group_session')
    return
  }
  if (kind === 'deleted') await applyEventDeletion(deps, event.key)
  if (kind === 'moved' && providerEvent !== null) {
    await applyEventMove(deps, event.key, {
      from: event.written.time,
      etag: providerEvent.etag,
      to: findSingleTime(providerEvent),
    })
  }
}

function refetchChange(
  deps: AppointmentEventsDeps,
  written: StoredAppointmentEvent,
): Promise<ExternalEvent | null> {
  const { connectionId, externalId, timeZone, readerZones, eventRef } = written
  return withProviderAccess(deps, connectionId, async ({ events }, access) => {
    if (events === null) throw new CalendarProviderError('forbidden', 'This calendar can only be read.')
    return events.find(access, { externalId, timeZone, readerZones, eventRef })
  })
}

/**
 * If the event was recreated, here or in another calendar of its account, makes the copy the event of the appointment.
 * Returns null when no copy exists. Source: rule G12.
 */
async function adoptReplacement(
  deps: AppointmentEventsDeps,
  { key, state, written }: SyncedEvent,
): Promise<MovedEvent | null> {
  const moved = await findMovedEvent(deps, state.secret, written)
  if (moved === null) return null
  const { externalCalendarId, event } = moved
  await updateEvent(deps.db, key, { externalCalendarId, eventRef: event.eventId, etag: event.etag })
  return moved
}

/**
 * Searches once more for an event whose deletion the owner wants to apply. If the event exists again, nothing is
 * cancelled: returns a sentence for the owner, and if the event has moved, lists the move for a decision instead.
 * Returns null when the event does not exist, or when the provider cannot be reached. Source: rule G13.
 */
export async function recheckDeletedEvent(
  deps: AppointmentEventsDeps,
  key: AppointmentKey,
  reason: SyncConfirmationReason,
): Promise<string | null> {
  const listed = await findSyncedEvent(deps, key, null)
  if (listed === null) return null
  const found = await orNull(refetchChange(deps, listed.written))
  const here = found?.isInvitation ? null : found
  const moved = here === null ? await orNull(adoptReplacement(deps, listed)) : null
  const providerEvent = here ?? moved?.event ?? null
  if (providerEvent === null) return null
  const event = await findSyncedEvent(deps, key, providerEvent)
  if (event !== null && classifyChange(deps, event) === 'moved') await listForOwner(deps, event, reason)
  else if (event !== null) await recordUnchanged(deps, event)
  if (moved === null) return FOUND_AGAIN
  return moved.externalCalendarId === listed.written.externalCalendarId
    ? REPLACED_BY_COPY
    : FOUND_IN_OTHER_CALENDAR
}

/** Returns null in place of a provider error. */
async function orNull<Answer>(answer: Promise<Answer | null>): Promise<Answer | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof CalendarProviderError) return null
    throw error
  }
}

const FOUND_AGAIN = 'The event is back in your external calendar.'
const FOUND_IN_OTHER_CALENDAR = 'The event is in another calendar of your account.'
const REPLACED_BY_COPY = 'Another event in your external calendar has taken its place.'

/**
 * Cancels the appointment of a deleted event, or everybody in its session. If the cancellation is refused, restores the event and returns the
 * refusal.
 */
export async function applyEventDeletion(
  deps: AppointmentEventsDeps,
  key: AppointmentKey,
): Promise<string | null> {
  const refusal = await findRefusal(() => cancelForDeletedEvent(deps, key))
  if (refusal !== null) await restoreEvent(deps, key, { wanted: null, reason: refusal, etag: null })
  return refusal
}

/**
 * Moves the appointment, or everybody in its session, to the time of its event. If the move is refused, restores the event and returns the refusal.
 */
export async function applyEventMove(
  deps: AppointmentEventsDeps,
  key: AppointmentKey,
  { from, to, etag }: { readonly from: Interval; readonly to: Interval | null; readonly etag: string | null },
): Promise<string | null> {
  if (to !== null) await holdNewTime(deps, key, to)
  const refusal =
    to === null
      ? NOT_A_SINGLE_TIME
      : await findRefusal(() =>
          moveAppointment(deps, {
            key,
            ...to,
            expectedStartMs: from.startMs,
            causedBy: 'external_calendar',
            anyway: true,
            isWholeSession: true,
            notifyCustomer: true,
          }),
        )
  if (refusal !== null) await restoreEvent(deps, key, { wanted: to, reason: refusal, etag })
  else if (to !== null) await recordFollowed(deps, key, { time: to, etag })
  return refusal
}

/**
 * Marks the event's own new time as not blocking, so that the appointment can be moved to it. Other events still block
 * it.
 */
async function holdNewTime(
  { db }: AppointmentEventsDeps,
  key: AppointmentKey,
  time: Interval,
): Promise<void> {
  const written = (await findEventState(db, key))?.written
  if (written === undefined || written === null) return
  const { externalCalendarId, eventRef } = written
  await markBusyTimeAsAppointment(db, {
    externalCalendarId,
    eventId: eventRef,
    calendarId: key.calendarId,
    time,
  })
}

const NOT_A_SINGLE_TIME = 'An appointment needs a single time within the next 730 days.'

/** Returns the message of a refusal, or null on success. */
async function findRefusal(work: () => Promise<unknown>): Promise<string | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    return error.message
  }
}

/** Records that the event already matches the moved appointment, so that it need not be written. */
async function recordFollowed(
  deps: AppointmentEventsDeps,
  key: AppointmentKey,
  { time, etag }: { readonly time: Interval; readonly etag: string | null },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await lockAppointmentForComparison(trx, key))) return
    const state = await findEventState(trx, key)
    if (state === null || !isSameInterval(toEventTime(state.details), time)) return
    await updateEvent(trx, key, { time, etag, contentHash: toEventContent(deps, state).hash })
    await clearRequestIfMatching(deps, trx, key)
  })
}
