import { SECOND_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import {
  type BusyTime,
  CalendarProviderError,
  ResponseTooLargeError,
  type StoredBusyTime,
} from '#server/ports/external-calendar.ts'
import { findRequestedPauseEnd, withProviderAccess } from './access-use-cases.ts'
import {
  correctBusyTimeCopy,
  findCopiedBusyTimes,
  listCopiedBusyTimes,
  lockIdleConnection,
  recordCheckedInterval,
  recordMissingResponse,
  type StaleCalendar,
  type StoredBusyTimeRow,
} from './check-repository.ts'
import type { AccessDeps } from './deps.ts'
import { findCopyCorrections } from './find-differences.ts'
import { findCalendarOfOwnEvent, findOwnEvents } from './find-own-events.ts'
import { scheduleSync } from './queue-syncs.ts'
import { clearSyncCursor } from './sync-repository.ts'
import { toEventKey } from './to-event-key.ts'

/**
 * Maximum number of a calendar's busy times that are compared with our copy before a booking, because the comparison is
 * quadratic. Source: rule G25.
 */
const MOST_COMPARED = 2_000

/** How long a booking waits for a provider. Source: rule G7. */
const WAIT_MS = 2 * SECOND_MS

export type BusyTimesRequest = {
  readonly connectionId: string
  readonly calendars: readonly StaleCalendar[]
  readonly during: Interval
}

/**
 * Asks a provider for the busy times of some calendars of an account, and corrects our copy accordingly. If the
 * provider does not respond, that is recorded. Source: rules G7 and G8.
 */
export async function refreshBusyTimes(deps: AccessDeps, question: BusyTimesRequest): Promise<void> {
  const { connectionId, during } = question
  const askedAt = new Date(deps.now())
  const ids = question.calendars.map(({ id }) => id)
  const copied = await listCopiedBusyTimes(deps.db, { ids, during, most: MOST_COMPARED + 1 })
  const answer = await ask(deps, question, copied)
  if (answer instanceof CalendarProviderError) {
    const { kind, message: problem } = answer
    // The booking decides by the copy, as it does when the rate limit is exceeded, and a sync updates the copy.
    if (answer instanceof ResponseTooLargeError)
      return inTransaction(deps.db, (trx) => scheduleSync(deps, trx, connectionId))
    deps.log.warn({ err: answer, connectionId }, 'a provider of calendars did not answer before a booking')
    // Owners are notified of expired access separately.
    if (kind === 'expired') return
    const at = new Date(deps.now())
    await recordMissingResponse(deps.db, {
      connectionId,
      problem,
      at,
      pausedUntil: findRequestedPauseEnd(answer, at),
    })
    return
  }
  await inTransaction(deps.db, async (trx) => {
    const isIdle = await lockIdleConnection(trx, connectionId, new Date(deps.now()))
    let hasToSync = false
    for (const calendar of question.calendars) {
      const busy = answer.filter(({ externalId }) => externalId === calendar.externalId)
      const known = new Set(copied.get(calendar.id)?.map(({ eventKey }) => eventKey))
      const outcome = await correctByAnswer(trx, calendar, { busy, during, askedAt, isIdle, known })
      hasToSync ||= outcome !== 'same'
    }
    if (hasToSync) await scheduleSync(deps, trx, connectionId)
  })
}

type Answer = {
  /** The busy times of this calendar, as returned by the provider. */
  readonly busy: readonly BusyTime[]
  readonly during: Interval
  readonly askedAt: Date
  /** True when no sync of the connection is running. */
  readonly isIdle: boolean
  /** The events that syncs had stored before the request. The response need not list other events as deleted. */
  readonly known: ReadonlySet<string>
}

/** Corrects our copy of one calendar. With `too_many`, the copy is used unchanged, and a sync updates it. */
async function correctByAnswer(
  trx: Trx,
  calendar: StaleCalendar,
  { busy: named, during, askedAt, isIdle, known }: Answer,
): Promise<'same' | 'changed' | 'too_many'> {
  const copy = await findCopiedBusyTimes(trx, { id: calendar.id, during, askedAt, most: MOST_COMPARED + 1 })
  if (copy === null) return 'same'
  if (Math.max(named.length, copy.stored.length) > MOST_COMPARED) return 'too_many'
  const own = await findOwnEvents(trx, calendar, named)
  const busy = named.map(({ startMs, endMs, eventId }) => {
    const time = { startMs, endMs }
    const appointment_calendar_id = findCalendarOfOwnEvent(own.get(eventId), time)
    return { ...time, appointment_calendar_id, ownKey: own.has(eventId) ? toEventKey(eventId) : null }
  })
  // A sync has stored new events since the request, so its data are newer than the response.
  if (copy.stored.some((time) => isOfSync(time) && !known.has(time.event_id))) return 'same'
  const { removed, kept, added } = findCopyCorrections({ ...copy, busy, during, askedAt })
  // A running sync may have stored newer data than the response, so nothing is removed in that case.
  await correctBusyTimeCopy(
    trx,
    calendar.id,
    isIdle ? { removed, added: [...kept, ...added] } : { removed: [], added },
  )
  if (isIdle && removed.some(isOfSync)) await clearSyncCursor(trx, calendar.id)
  await recordCheckedInterval(trx, calendar.id, { during, askedAt })
  return removed.length > 0 || added.length > 0 ? 'changed' : 'same'
}

function isOfSync({ asked_at }: StoredBusyTimeRow): boolean {
  return asked_at === null
}

/** Returns the busy times at the provider, or the error if it does not return them in time. */
async function ask(
  deps: AccessDeps,
  { connectionId, calendars, during }: BusyTimesRequest,
  copied: ReadonlyMap<string, readonly StoredBusyTime[]>,
): Promise<readonly BusyTime[] | CalendarProviderError> {
  const signal = AbortSignal.timeout(WAIT_MS)
  const late = new CalendarProviderError('unavailable', 'The provider didn’t respond in time.')
  const asked = calendars.map((calendar) => ({ ...calendar, copied: copied.get(calendar.id) ?? [] }))
  const answer = withProviderAccess(deps, connectionId, (provider, access) =>
    provider.readBusyTimes(access, { calendars: asked, during, signal }),
  ).catch((error: unknown) => toProviderError(error, late))
  // Race against a timer, which ends the wait even if an adapter ignores the abort signal.
  const limit = new Promise<CalendarProviderError>((resolve) => {
    signal.addEventListener('abort', () => resolve(late), { once: true })
  })
  return Promise.race([answer, limit])
}

function toProviderError(error: unknown, late: CalendarProviderError): CalendarProviderError {
  if (error instanceof CalendarProviderError) return error
  if (error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')) return late
  return new CalendarProviderError('refused', 'The calendars could not be read.', { cause: error })
}
