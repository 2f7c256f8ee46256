import { randomUUID } from 'node:crypto'
import { LIMITS } from '#contract/limits.ts'
import { MINUTE_MS, SECOND_MS } from '#core/shared/duration.ts'
import { type Interval, overlaps, subtract } from '#core/shared/interval.ts'
import { isStorable } from '#core/shared/text.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { withAccess } from './access-use-cases.ts'
import { hurryOnce } from './channel-repository.ts'
import {
  type CalendarName,
  correctCopy,
  listStale,
  lockIdleConnection,
  type OwnTime,
  readCopy,
  recordSilence,
  type StaleCalendar,
  type StoredTime,
} from './check-repository.ts'
import type { AccessDeps } from './deps.ts'
import { findPauseEnd } from './find-pause-end.ts'
import { CALENDAR_SYNC } from './job-definitions.ts'

/** How old the copy may be for a booking. Source: rule G7. */
const FRESH_MS = MINUTE_MS
/** How long a booking waits for a provider. Source: rule G7. */
const WAIT_MS = 2 * SECOND_MS
/** How long nobody asks again a provider that did not answer. */
const REST_MS = 10 * SECOND_MS

/** What a booking can reach: the longest buffer before its start, and the longest type with the buffer after it. */
const LONGEST_BUFFER_MS = 60 * MINUTE_MS
const LONGEST_MS = LIMITS.typeDurationMax * MINUTE_MS + LONGEST_BUFFER_MS

/** A time that is about to be taken. */
export type TimeToCheck = { readonly calendar: CalendarName; readonly during: Interval }

/** The time that a booking can reach which begins at `startsAtMs` (epoch), whatever is booked. */
export function toReach(startsAtMs: number): Interval {
  return { startMs: startsAtMs - LONGEST_BUFFER_MS, endMs: startsAtMs + LONGEST_MS }
}

type BusyTime = Interval & { readonly eventId: string | null; readonly externalId: string }

/**
 * Before a time is booked, asks the providers of the external calendars that the calendar reads for exactly this time, where our
 * copy is older than a minute, and corrects the copy. So the rules that decide inside the booking's transaction decide by what
 * is true now. A provider that does not answer within two seconds counts as not checked: the owner's policy decides then. It
 * never throws, and is never called inside a transaction. Source: rules G7 and G8.
 */
export async function checkBeforeBooking(deps: AccessDeps, { calendar, during }: TimeToCheck): Promise<void> {
  try {
    const now = deps.now()
    const stale = await listStale(deps.db, {
      calendar,
      freshSince: new Date(now - FRESH_MS),
      failedSince: new Date(now - REST_MS),
      now: new Date(now),
    })
    const byConnection = Map.groupBy(stale, ({ connectionId }) => connectionId)
    await Promise.all(
      [...byConnection].map(([connectionId, calendars]) =>
        checkConnection(deps, { connectionId, calendars, during }),
      ),
    )
  } catch (err) {
    deps.log.error({ err, calendar }, 'external calendars could not be checked before a booking')
  }
}

type Question = {
  readonly connectionId: string
  readonly calendars: readonly StaleCalendar[]
  readonly during: Interval
}

async function checkConnection(deps: AccessDeps, question: Question): Promise<void> {
  const { connectionId, during } = question
  const askedAt = new Date(deps.now())
  const answer = await ask(deps, question)
  if (answer instanceof CalendarProviderError) {
    const { kind, message: problem } = answer
    deps.log.warn({ err: answer, connectionId }, 'a provider of calendars did not answer before a booking')
    // Whoever has lost the access is told by another way.
    if (kind === 'expired') return
    const at = new Date(deps.now())
    await recordSilence(deps.db, { connectionId, problem, at, pausedUntil: findPauseEnd(answer, at) })
    return
  }
  await inTransaction(deps.db, async (trx) => {
    const isIdle = await lockIdleConnection(trx, connectionId, new Date(deps.now()))
    let isChanged = false
    for (const calendar of question.calendars) {
      const busy = answer.filter(({ externalId }) => externalId === calendar.externalId)
      const eventIds = busy.flatMap(({ eventId }) => eventId ?? []).filter(isStorable)
      const copy = await readCopy(trx, { id: calendar.id, during, askedAt, eventIds })
      if (copy === null) continue
      const { removed, kept, added } = compare({ ...copy, busy, during })
      // A sync under way may have stored what is newer than the answer, so nothing of it is taken away.
      if (isIdle) await correctCopy(trx, calendar.id, { removed, added: kept, askedAt: null })
      await correctCopy(trx, calendar.id, { removed: [], added, askedAt })
      isChanged ||= removed.length > 0 || added.length > 0
    }
    if (isChanged && (await hurryOnce(trx, connectionId, askedAt))) {
      await deps.jobs.insert(trx, CALENDAR_SYNC, [{ connectionId, queuedAt: askedAt.toISOString() }])
    }
  })
}

/** The busy times at the provider, or why it does not say them in time. */
async function ask(
  deps: AccessDeps,
  { connectionId, calendars, during }: Question,
): Promise<readonly BusyTime[] | CalendarProviderError> {
  const signal = AbortSignal.timeout(WAIT_MS)
  const late = new CalendarProviderError('unavailable', 'The provider did not answer in time.')
  const answer = withAccess(deps, connectionId, (provider, access) =>
    provider.readBusyTimes(access, { calendars, during, signal }),
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
  throw error
}

type Comparison = {
  readonly busy: readonly BusyTime[]
  readonly stored: readonly StoredTime[]
  readonly own: readonly OwnTime[]
  readonly generation: number
  readonly during: Interval
}

/**
 * What the copy has to lose and to gain within `during`. A stored time that the provider does not name any more loses this
 * stretch and keeps the rest; what the provider names besides is added, our own events with the calendar that holds their
 * appointment. Source: rule G5.
 */
function compare({ busy, stored, own, generation, during }: Comparison): {
  removed: StoredTime[]
  /** What is left of the removed ones, outside of the stretch. */
  kept: StoredTime[]
  added: StoredTime[]
} {
  const within = (time: Interval): Interval => ({
    startMs: Math.max(time.startMs, during.startMs),
    endMs: Math.min(time.endMs, during.endMs),
  })
  const removed = stored.filter((time) => subtract(within(time), busy).length > 0)
  const kept = removed.flatMap((time) =>
    subtract(time, [during]).map((rest, i) => ({
      ...time,
      ...rest,
      occurrence: i === 0 ? time.occurrence : `${time.occurrence} and on`,
    })),
  )
  const known = stored.filter((time) => !removed.includes(time))
  const added = busy
    .filter((time) => overlaps(time, during))
    .flatMap((time) => toParts({ ...within(time), eventId: time.eventId }, { known, stored, own }))
    .map((time) => ({
      ...time,
      eventId: `asked ${randomUUID()}`,
      occurrence: '',
      title: null,
      isAllDay: false,
      generation,
    }))
  return { removed, kept, added }
}

/** What the copy lacks of a busy time, and the calendar whose appointment each part is. */
function toParts(
  time: Interval & { readonly eventId: string | null },
  { known, stored, own }: Pick<Comparison, 'stored' | 'own'> & { readonly known: readonly StoredTime[] },
): (Interval & Pick<StoredTime, 'appointmentCalendarId'>)[] {
  const { eventId } = time
  if (eventId === null) {
    // Where the provider names no events, ours are known by their times.
    const missing = subtract(time, known)
    const ours = own.flatMap(({ appointmentCalendarId, ...written }) =>
      missing
        .filter((part) => overlaps(part, written))
        .map((part) => ({
          startMs: Math.max(part.startMs, written.startMs),
          endMs: Math.min(part.endMs, written.endMs),
          appointmentCalendarId,
        })),
    )
    const others = missing.flatMap((part) => subtract(part, own))
    return [...ours, ...others.map((part) => ({ ...part, appointmentCalendarId: null }))]
  }
  const held = [...own, ...stored].find(
    (other) => other.eventId === eventId && other.appointmentCalendarId !== null,
  )
  const appointmentCalendarId = held?.appointmentCalendarId ?? null
  // Our own event does not cover somebody else's.
  const covering = known.filter((other) => held !== undefined || other.appointmentCalendarId === null)
  return subtract(time, covering).map((part) => ({ ...part, appointmentCalendarId }))
}
