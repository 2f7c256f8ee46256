import { SECOND_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import { inTransaction, type Trx } from '#server/platform/db/transaction.ts'
import {
  AnswerTooLargeError,
  type BusyTime,
  CalendarProviderError,
  type StoredBusyTime,
} from '#server/ports/external-calendar.ts'
import { withAccess } from './access-use-cases.ts'
import {
  correctCopy,
  findCopiedTimes,
  forgetCursor,
  listCopiedTimes,
  lockIdleConnection,
  recordAnswer,
  recordNoAnswer,
  type StaleCalendar,
  type StoredTime,
} from './check-repository.ts'
import type { AccessDeps } from './deps.ts'
import { findDifferences } from './find-differences.ts'
import { findCalendarOfOwnEvent, findOwnEvents } from './find-own-events.ts'
import { findPauseEnd } from './find-pause-end.ts'
import { scheduleSync } from './queue-syncs.ts'
import { toEventKey } from './to-event-key.ts'

/**
 * More busy times of a calendar are not compared with those of our copy, within the time of a booking: each is compared with each.
 * Source: rule G25.
 */
const MOST_COMPARED = 2_000

/** How long a booking waits for a provider. Source: rule G7. */
const WAIT_MS = 2 * SECOND_MS

export type BusyTimesQuestion = {
  readonly connectionId: string
  readonly calendars: readonly StaleCalendar[]
  readonly during: Interval
}

/**
 * Asks the provider of an account for the busy times of some of its calendars, and corrects our copy by the answer. No answer is
 * recorded as silence. Source: rules G7 and G8.
 */
export async function refreshBusyTimes(deps: AccessDeps, question: BusyTimesQuestion): Promise<void> {
  const { connectionId, during } = question
  const askedAt = new Date(deps.now())
  const ids = question.calendars.map(({ id }) => id)
  const copied = await listCopiedTimes(deps.db, { ids, during, most: MOST_COMPARED + 1 })
  const answer = await ask(deps, question, copied)
  if (answer instanceof CalendarProviderError) {
    const { kind, message: problem } = answer
    // The copy decides, as beyond the budget of questions, and a sync brings it up to date.
    if (answer instanceof AnswerTooLargeError)
      return inTransaction(deps.db, (trx) => scheduleSync(deps, trx, connectionId))
    deps.log.warn({ err: answer, connectionId }, 'a provider of calendars did not answer before a booking')
    // Whoever has lost the access is told by another way.
    if (kind === 'expired') return
    const at = new Date(deps.now())
    await recordNoAnswer(deps.db, { connectionId, problem, at, pausedUntil: findPauseEnd(answer, at) })
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
  /** Of this calendar. */
  readonly busy: readonly BusyTime[]
  readonly during: Interval
  readonly askedAt: Date
  /** Nobody syncs the connection now. */
  readonly isIdle: boolean
  /** The events that syncs had stored when the provider was asked: of others the answer need not say that they are gone. */
  readonly known: ReadonlySet<string>
}

/** Corrects our copy of one calendar. `too_many`: the copy decides, and a sync brings it up to date. */
async function correctByAnswer(
  trx: Trx,
  calendar: StaleCalendar,
  { busy: named, during, askedAt, isIdle, known }: Answer,
): Promise<'same' | 'changed' | 'too_many'> {
  const copy = await findCopiedTimes(trx, { id: calendar.id, during, askedAt, most: MOST_COMPARED + 1 })
  if (copy === null) return 'same'
  if (Math.max(named.length, copy.stored.length) > MOST_COMPARED) return 'too_many'
  const own = await findOwnEvents(trx, calendar, named)
  const busy = named.map(({ startMs, endMs, eventId }) => {
    const time = { startMs, endMs }
    const appointmentCalendarId = findCalendarOfOwnEvent(own.get(eventId), time)
    return { ...time, appointmentCalendarId, ownKey: own.has(eventId) ? toEventKey(eventId) : null }
  })
  // A sync has stored since what the provider was not asked about, and so it knows better.
  if (copy.stored.some((time) => isOfSync(time) && !known.has(time.eventId))) return 'same'
  const { removed, kept, added } = findDifferences({ ...copy, busy, during, askedAt })
  // A sync under way may have stored what is newer than the answer, so nothing of it is taken away.
  await correctCopy(
    trx,
    calendar.id,
    isIdle ? { removed, added: [...kept, ...added] } : { removed: [], added },
  )
  if (isIdle && removed.some(isOfSync)) await forgetCursor(trx, calendar.id)
  await recordAnswer(trx, calendar.id, { during, askedAt })
  return removed.length > 0 || added.length > 0 ? 'changed' : 'same'
}

function isOfSync({ askedAt }: StoredTime): boolean {
  return askedAt === null
}

/** The busy times at the provider, or why it does not say them in time. */
async function ask(
  deps: AccessDeps,
  { connectionId, calendars, during }: BusyTimesQuestion,
  copied: ReadonlyMap<string, readonly StoredBusyTime[]>,
): Promise<readonly BusyTime[] | CalendarProviderError> {
  const signal = AbortSignal.timeout(WAIT_MS)
  const late = new CalendarProviderError('unavailable', 'The provider did not answer in time.')
  const asked = calendars.map((calendar) => ({ ...calendar, copied: copied.get(calendar.id) ?? [] }))
  const answer = withAccess(deps, connectionId, (provider, access) =>
    provider.readBusyTimes(access, { calendars: asked, during, signal }),
  ).catch((error: unknown) => toProviderError(error, late))
  // An adapter that does not listen to the signal is not waited for.
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
