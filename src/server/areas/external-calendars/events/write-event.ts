import {
  decideEventWrite,
  type EventSyncState,
  type EventWrite,
  resolveEventConflict,
} from '#core/external-calendars/event-write.ts'
import { type Interval, isSameInterval } from '#core/shared/interval.ts'
import { withProviderAccess } from '#server/areas/external-calendars/connections/access-use-cases.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import {
  type AppointmentEventContent,
  type CalendarAccess,
  type CalendarErrorKind,
  type CalendarProvider,
  CalendarProviderError,
  type ExternalEvent,
  type WrittenEvent,
} from '#server/ports/external-calendar.ts'
import type { Appointment } from '#server/records/appointments/appointment.ts'
import {
  APPOINTMENT_EVENT_JOB,
  queueEventWrite,
  queueSessionEventWrite,
} from '#server/records/appointments/event-job.ts'
import { clearEventWriteRequest, requestEventWrite } from '#server/records/appointments/outbox-repository.ts'
import type { AppointmentKey } from '#server/records/appointments/state-repository.ts'
import { recordHistory } from '#server/records/history/use-cases.ts'
import type { AddressSettings } from '#server/records/hostnames/to-calendar-address.ts'
import { deleteExternalChanges } from './change-repository.ts'
import type { AppointmentEventsDeps } from './deps.ts'
import {
  acquireEventLease,
  finishEventWrite,
  isEventLeaseHeld,
  postponeEvent,
  releaseEventLease,
} from './event-lease-repository.ts'
import { endWritePause, isAccountPaused, pauseEventWrites } from './pending-repository.ts'
import { type EventAccess, queueEventRemoval, removeEvent } from './remove-leftover-events.ts'
import {
  deleteEvent,
  type EventCalendar,
  type EventState,
  findEventState,
  getOrCreateEventSecret,
  lockAppointmentForComparison,
  lockConnection,
  type StoredAppointmentEvent,
  saveEvent,
} from './repository.ts'
import { requestEventRewrite } from './restore-event.ts'
import { handOverEvent } from './session-repository.ts'
import { type EventContent, isGeneratedTitle, toAppointmentEvent } from './to-appointment-event.ts'

/**
 * Updates the event of an appointment if needed. The provider is called outside of any transaction. If it cannot be
 * reached, the event stays queued and the account is paused. Only one write of an event runs at a time; a concurrent
 * call does nothing, because the first call compares event and appointment again after writing. The caller holds the
 * lease of the account, or passes null when the event belongs to no account. Source: rules G9 to G11.
 */
export async function writeEvent(
  deps: AppointmentEventsDeps,
  key: AppointmentKey,
  connectionId: string | null,
): Promise<void> {
  const claim = await acquireEventLease(deps.db, key, new Date(deps.now()))
  if (claim === null) return
  try {
    await writeClaimed(deps, { ...key, claim }, connectionId)
  } finally {
    await releaseEventLease(deps.db, claim)
  }
}

/** An appointment for whose event this process has the lease. */
type ClaimedKey = AppointmentKey & { readonly claim: string }

async function writeClaimed(
  deps: AppointmentEventsDeps,
  key: ClaimedKey,
  connectionId: string | null,
): Promise<void> {
  const found = await findEventState(deps.db, key)
  if (found === null || !found.details.needs_google_sync || !found.settings.autoSync) return
  const known = hasSessionsEvent(deps, found) ? await handOver(deps, key) : found
  if (known === null) return
  const place = known.written ?? known.target
  const secret = place === null ? null : await getOrCreateEventSecret(deps.db, key)
  const state = { ...known, secret }
  if (place === null || decide(deps, state) === 'nothing') {
    await inTransaction(deps.db, async (trx) => {
      if (!(await lockAppointmentForComparison(trx, key))) return
      await finishEventWrite(trx, key.claim)
      await settleOrWriteAgain(deps, trx, key)
    })
    return
  }
  // The event's account has changed since the caller acquired the lease of another account.
  if (place.connectionId !== connectionId) {
    const { calendarId, id } = key
    return deps.jobs.send(APPOINTMENT_EVENT_JOB, { calendarId, id })
  }
  if (
    secret === null ||
    waitsForOwner(state) ||
    (await isAccountPaused(deps.db, place.connectionId, new Date(deps.now())))
  )
    return
  await writeTo(deps, key, { state, place, secret })
}

/** True when the appointment has the event of a session in which it may no longer take part. */
function hasSessionsEvent(deps: ContentDeps, state: EventState): boolean {
  const sessionId = (state.written ?? state.lost)?.sessionId ?? null
  return sessionId !== null && (sessionId !== state.details.session_id || decide(deps, state) === 'remove')
}

/** Hands the event of a session that the appointment has left to the next seat. Returns the state of what is left to write. */
async function handOver(deps: AppointmentEventsDeps, key: ClaimedKey): Promise<EventState | null> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await lockAppointmentForComparison(trx, key)) || !(await isEventLeaseHeld(trx, key.claim))) return
    const sessionId = await handOverEvent(trx, key)
    if (sessionId !== null) await queueSessionEventWrite(deps, trx, { calendarId: key.calendarId, sessionId })
  })
  return findEventState(deps.db, key)
}

/**
 * True when the event cannot be written until the owner acts. If the external calendar is gone, they must choose
 * another one. If a change is pending, they must decide about it, unless the appointment has been moved in Meridian
 * since.
 */
function waitsForOwner({ undecided, details, written, lost, target }: EventState): boolean {
  if (written === null && target?.isGone) return true
  const event = written ?? lost
  if (undecided === null || event === null || details.status === 'cancelled') return false
  return isSameInterval(toEventTime(details), event.time)
}

type Writing = { readonly state: EventState; readonly place: EventCalendar; readonly secret: string }

async function writeTo(deps: AppointmentEventsDeps, key: ClaimedKey, writing: Writing): Promise<void> {
  const { connectionId } = writing.place
  let isAsked = false
  try {
    await withProviderAccess(deps, connectionId, async ({ events }, access) => {
      isAsked = true
      const outcome = await askProvider(deps, { events, access }, writing)
      const left = await record(deps, key, writing, outcome)
      if (events !== null && left !== null) {
        await removeEvent({ events, access }, { ...left, externalId: writing.place.externalId })
      }
    })
  } catch (error) {
    if (!(error instanceof CalendarProviderError)) throw error
    deps.log.warn({ err: error, kind: error.kind, connectionId }, 'an event could not be written')
    // If the failure occurred before the provider was called, it says nothing about the provider's decision.
    const reaction = isAsked ? REACTIONS[error.kind] : 'pause'
    if (reaction === 'give_up') await giveUp(deps, key, { refused: writing.state, reason: error.message })
    if (reaction === 'skip' || reaction === 'pause_and_skip') {
      await postponeEvent(deps.db, key.claim, new Date(deps.now()))
    }
    if ((reaction === 'pause' || reaction === 'pause_and_skip') && error.kind !== 'expired') {
      await pauseEventWrites(deps.db, connectionId, {
        now: new Date(deps.now()),
        retryAfterMs: error.retryAfterMs,
      })
    }
  }
}

/**
 * - `wait`: the connection has expired, or the event changed a second time; the next run tries again.
 * - `pause`: the account is paused.
 * - `skip`: only this event is postponed; the account's other events continue.
 * - `pause_and_skip`: the cause may be the account or this event, so the next attempt uses another event.
 * - `give_up`: the provider will never accept this event. All other failures are retried without a time limit. Source:
 *   rule G11.
 */
const REACTIONS: Record<CalendarErrorKind, 'pause' | 'wait' | 'skip' | 'pause_and_skip' | 'give_up'> = {
  expired: 'wait',
  conflict: 'wait',
  rate_limited: 'pause',
  unavailable: 'pause',
  forbidden: 'skip',
  gone: 'skip',
  cursor_lost: 'skip',
  refused: 'pause_and_skip',
  address_refused: 'pause_and_skip',
  event_refused: 'give_up',
}

type Asked = { readonly events: CalendarProvider['events']; readonly access: CalendarAccess }

type Outcome =
  | { readonly kind: 'written'; readonly event: WrittenEvent; readonly content: EventContent }
  | { readonly kind: 'removed' | 'left_to_sync' }

async function askProvider(
  deps: AppointmentEventsDeps,
  { events, access }: Asked,
  { state, place, secret }: Writing,
): Promise<Outcome> {
  if (events === null) throw new CalendarProviderError('forbidden', 'This calendar can only be read.')
  const { written, lost } = state
  const content = toEventContent(deps, state)
  const write = decide(deps, state)
  if (written === null || write === 'create') {
    const appointment = toWritten(content, { secret, ownerTitle: lost?.ownerTitle ?? null })
    const event = await events.create(access, place.externalId, appointment)
    return { kind: 'written', event, content }
  }
  if (write === 'remove') {
    await removeEvent({ events, access }, written)
    return { kind: 'removed' }
  }
  const event = await update({ events, access }, { state, written, content, secret })
  return event === null ? { kind: 'left_to_sync' } : { kind: 'written', event, content }
}

/** Keeps the title that the owner gave the event at the provider. Source: rule G14. */
function toWritten(
  { event }: EventContent,
  { secret, ownerTitle }: { readonly secret: string; readonly ownerTitle: string | null },
): AppointmentEventContent {
  return { ...event, secret, title: ownerTitle ?? event.title }
}

/** Updates an event. Returns null when it was moved at the provider, which the next sync handles. */
async function update(
  { events, access }: EventAccess,
  {
    state,
    written,
    content,
    secret,
  }: { state: EventState; written: StoredAppointmentEvent; content: EventContent; secret: string },
): Promise<WrittenEvent | null> {
  const { externalId, timeZone, readerZones, eventRef, etag, ownerTitle } = written
  const event = toWritten(content, { secret, ownerTitle })
  const failure = await kindOf(() => events.update(access, { externalId, eventRef, etag }, event))
  if (typeof failure === 'object') return failure
  const handle = { externalId, timeZone, readerZones, eventRef }
  const there = failure === 'gone' ? null : await events.find(access, handle)
  // The event was deleted at the provider while the appointment changed here, or its id now belongs to somebody else's
  // event. The change made here takes precedence.
  if (there === null || there.isInvitation) return events.create(access, externalId, event)
  const decision = resolveEventConflict({
    here: toEventTime(state.details),
    written: written.time,
    there: findSingleTime(there),
    isFollowed: state.settings.twoWaySync,
  })
  if (decision === 'leave_to_sync') return null
  const changed = toWritten(content, { secret, ownerTitle: findOwnerTitle(there, state.details) })
  return events.update(access, { externalId, eventRef, etag: there.etag }, changed)
}

/** Returns the written event, or `gone` or `conflict`. Other failures are thrown. */
async function kindOf(write: () => Promise<WrittenEvent>): Promise<WrittenEvent | 'gone' | 'conflict'> {
  try {
    return await write()
  } catch (error) {
    if (error instanceof CalendarProviderError && (error.kind === 'gone' || error.kind === 'conflict')) {
      return error.kind
    }
    throw error
  }
}

/** Returns the single time of an event. Null when it has several, or none in the requested window. */
export function findSingleTime({ occurrences }: ExternalEvent): Interval | null {
  const [first, ...more] = occurrences
  if (first === undefined || more.length > 0) return null
  return { startMs: first.startMs, endMs: first.endMs }
}

/**
 * Returns the title that the owner gave an event at the provider. Null while the event has a generated title. Source:
 * rule G14.
 */
export function findOwnerTitle({ title }: ExternalEvent, details: Appointment): string | null {
  return title === null || isGeneratedTitle(title, details) ? null : title
}

/**
 * Records the result of a write. If the appointment changed during the call, its event is written again. It is also
 * written again after a write that took so long that another process may have started one, because the order of the two
 * writes is unknown. Returns an event for the caller to remove, if the owner's account was deleted in the meantime.
 * Source: rule D4.
 */
async function record(
  deps: AppointmentEventsDeps,
  key: ClaimedKey,
  { place, state }: Writing,
  outcome: Outcome,
): Promise<WrittenEvent | null> {
  const { session_id: sessionId } = state.details
  await endWritePause(deps.db, place.connectionId, new Date(deps.now()))
  if (outcome.kind === 'left_to_sync') return null
  return inTransaction(deps.db, async (trx) => {
    if (!(await lockAppointmentForComparison(trx, key))) {
      return outcome.kind === 'written' ? leaveRemoval(deps, trx, place, outcome.event) : null
    }
    const isAlone = await isEventLeaseHeld(trx, key.claim)
    if (outcome.kind === 'removed' && isAlone) await deleteEvent(trx, key)
    if (outcome.kind === 'written') {
      await saveEvent(trx, key, { ...toNewEvent(outcome, place), sessionId, writtenAt: new Date(deps.now()) })
    }
    await deleteExternalChanges(trx, key)
    await finishEventWrite(trx, key.claim)
    if (!isAlone) await requestEventRewrite(deps, trx, key, null)
    else await settleOrWriteAgain(deps, trx, key)
    return null
  })
}

/**
 * Queues the removal of an event that was written while its calendar was being deleted, because the deletion did not
 * include it. If the connection was deleted as well, no job can remove the event: returns it, so that the caller
 * removes it.
 */
async function leaveRemoval(
  deps: AppointmentEventsDeps,
  trx: Trx,
  place: EventCalendar,
  event: WrittenEvent,
): Promise<WrittenEvent | null> {
  if (!(await lockConnection(trx, place.connectionId))) return event
  await queueEventRemoval(deps, trx, place, event)
  return null
}

/**
 * Marks the event as up to date, or queues another write. A seat without an event of its own leaves the rest to the event of
 * its session. The caller has locked the appointment.
 */
async function settleOrWriteAgain(deps: AppointmentEventsDeps, trx: Trx, key: AppointmentKey): Promise<void> {
  const state = await findEventState(trx, key)
  if (state === null) return
  if (decide(deps, state) !== 'nothing') {
    await requestEventWrite(trx, key)
    return queueEventWrite(deps, trx, { ...key, isNeeded: true })
  }
  await clearEventWriteRequest(trx, key)
  const { session_id: sessionId } = state.details
  if (sessionId !== null && isInOthersEvent(state)) {
    await queueSessionEventWrite(deps, trx, { calendarId: key.calendarId, sessionId })
  }
}

function toNewEvent({ event, content }: Extract<Outcome, { kind: 'written' }>, place: EventCalendar) {
  const { startMs, endMs } = content.event
  const { externalCalendarId } = place
  return { ...event, externalCalendarId, time: { startMs, endMs }, contentHash: content.hash }
}

/**
 * Clears the write mark if the event matches the current appointment. An appointment that changed during the call keeps
 * the mark and is written again.
 */
export async function clearRequestIfMatching(
  deps: ContentDeps,
  trx: Trx,
  key: AppointmentKey,
): Promise<void> {
  if (!(await lockAppointmentForComparison(trx, key))) return
  const state = await findEventState(trx, key)
  if (state !== null && decide(deps, state) === 'nothing') await clearEventWriteRequest(trx, key)
}

/**
 * Gives up an event that the provider will never accept. The history shows that to the owner, and the write is not
 * retried. If the appointment has changed in the meantime, the new content is written.
 */
async function giveUp(
  deps: AppointmentEventsDeps,
  key: ClaimedKey,
  { refused, reason }: { readonly refused: EventState; readonly reason: string },
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if (!(await lockAppointmentForComparison(trx, key))) return
    await finishEventWrite(trx, key.claim)
    const state = await findEventState(trx, key)
    if (state === null || !isSameWrite(deps, state, refused)) return settleOrWriteAgain(deps, trx, key)
    await clearEventWriteRequest(trx, key)
    const at = new Date(deps.now())
    await recordHistory(trx, key, { kind: 'not_written', causedBy: 'product', details: { reason }, at })
  })
}

function isSameWrite(deps: ContentDeps, one: EventState, other: EventState): boolean {
  return (
    decide(deps, one) === decide(deps, other) &&
    toEventContent(deps, one).hash === toEventContent(deps, other).hash
  )
}

type ContentDeps = Pick<AppointmentEventsDeps, 'origin'> & AddressSettings

function decide(deps: ContentDeps, state: EventState): EventWrite {
  const { written, target } = state
  return decideEventWrite(toStanding(state), {
    contentHash: toEventContent(deps, state).hash,
    writtenHash: written?.contentHash ?? null,
    isWanted: target !== null,
  })
}

export function toEventContent(
  { origin, baseUrl, defaultTier, now }: ContentDeps,
  { details, settings: { hidesCustomer }, secret, session }: EventState,
): EventContent {
  return toAppointmentEvent(details, { origin, baseUrl, defaultTier, now, hidesCustomer, secret, session })
}

function toStanding(state: EventState): EventSyncState {
  const { status, hold_expires_at, released_at } = state.details
  return {
    status,
    isHeld: hold_expires_at !== null,
    isReleased: released_at !== null,
    isInOthersEvent: isInOthersEvent(state),
  }
}

/** True when another seat has the event of the appointment's session. Source: rule G34. */
function isInOthersEvent({ session, details }: EventState): boolean {
  return session !== null && session.eventAppointmentId !== details.id
}

export function toEventTime({ starts_at, ends_at }: Pick<Appointment, 'starts_at' | 'ends_at'>): Interval {
  return { startMs: starts_at.getTime(), endMs: ends_at.getTime() }
}
