import { LIMITS } from '#contract/shared/limits.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { type Interval, subtractIntervals } from '#core/shared/interval.ts'
import { MAX_DISTANCE_MS } from '#core/slots/open-slots.ts'
import type { TimeToCheck } from '#server/areas/appointments/bookings/deps.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { isStartOffered, type RequestedStart } from '#server/records/slots/use-cases.ts'
import {
  areAllCalendarsFresh,
  type CalendarIdentifier,
  listStaleCalendars,
  type StaleCalendar,
} from './check-repository.ts'
import type { AccessDeps } from './deps.ts'
import { scheduleSync } from './queue-syncs.ts'
import { type BusyTimesRequest, refreshBusyTimes } from './refresh-busy-times.ts'

/** Maximum age, for a booking, of the copy or of an earlier response about the same time. Source: rule G7. */
const FRESH_MS = MINUTE_MS
/** How long a provider that did not respond is not asked again. By then, a sync has also tried. */
const UNANSWERED_PAUSE_MS = MINUTE_MS

/** The longest time after its start that a booking can affect. Before its start, it is the part that is not the length. */
const LONGEST_MS = LIMITS.typeDurationMax * MINUTE_MS + MAX_DISTANCE_MS

/** A time about which providers may be asked before a booking. */
export type TimeToQuery = {
  readonly calendar: CalendarIdentifier
  readonly during: Interval
  /** The customer's requested booking; null if the calendar's owner makes the booking. */
  readonly wanted: (RequestedStart & { readonly isPromised?: boolean }) | null
}

/** Returns the interval that a booking at this start can affect, whatever is booked. */
export function toTimeToQuery(time: TimeToCheck): TimeToQuery {
  const { startsAtMs } = time
  const during = { startMs: startsAtMs - MAX_DISTANCE_MS, endMs: startsAtMs + LONGEST_MS }
  return time.by === 'owner'
    ? { calendar: { id: time.calendarId }, during, wanted: null }
    : { calendar: { slug: time.slug }, during, wanted: time }
}

type Deps = AccessDeps & { readonly budgets: Pick<Budgets, 'spend'> }

/** The requests that this process is waiting for, by account. */
type UnderWay = Map<string, { readonly question: BusyTimesRequest; readonly answered: Promise<void> }[]>

/**
 * Returns a function to call before a time is booked. It asks the providers about exactly this time, for each external
 * calendar that counts for the calendar and whose copy is older than a minute. It corrects the copies, so that the
 * booking transaction decides by current data. If a provider does not respond within two seconds, its calendars count
 * as unchecked, and the owner's settings decide. The function never throws, and must not be called inside a
 * transaction.
 *
 * Strangers must not use up the owner's quota at the provider. So for customers, only times are checked that our own
 * tables offer them or hold for them, simultaneous requests share one response, and requests are rate limited. Source:
 * rules G7 and G8.
 */
export function buildCheckBeforeBooking(deps: Deps): (time: TimeToQuery) => Promise<void> {
  const underWay: UnderWay = new Map()
  return async (time) => {
    const { calendar, during, wanted } = time
    try {
      const stale = await listStaleNow(deps, time)
      if (stale.length === 0) return
      if (wanted !== null && !wanted.isPromised && !(await isStartOffered(deps, wanted))) return
      const byConnection = Map.groupBy(stale, ({ connectionId }) => connectionId)
      await Promise.all(
        [...byConnection].map(([connectionId, calendars]) =>
          askOnce(deps, underWay, {
            question: { connectionId, calendars, during },
            isStranger: wanted !== null,
          }),
        ),
      )
    } catch (err) {
      deps.log.error({ err, calendar }, 'external calendars could not be checked before a booking')
    }
  }
}

/**
 * Checks a time as before a booking. Returns true if every external calendar was checked recently. Never throws.
 * Source: rule G28.
 */
export async function verifyTimeWithProviders(
  deps: Deps,
  check: (time: TimeToQuery) => Promise<void>,
  { calendarId, startsAtMs }: { readonly calendarId: string; readonly startsAtMs: number },
): Promise<boolean> {
  const time = toTimeToQuery({ by: 'owner', calendarId, startsAtMs })
  await check(time)
  try {
    const freshSince = new Date(deps.now() - FRESH_MS)
    return await areAllCalendarsFresh(deps.db, calendarId, { during: time.during, freshSince })
  } catch (err) {
    deps.log.error({ err, calendarId }, 'whether external calendars were checked could not be found out')
    return false
  }
}

function listStaleNow({ db, now }: Deps, { calendar, during }: TimeToQuery): Promise<StaleCalendar[]> {
  const at = now()
  const freshSince = new Date(at - FRESH_MS)
  return listStaleCalendars(db, {
    calendar,
    during,
    freshSince,
    failedSince: new Date(at - UNANSWERED_PAUSE_MS),
    now: new Date(at),
  })
}

/** Waits for a running request that covers this query, or starts one. */
async function askOnce(
  deps: Deps,
  underWay: UnderWay,
  { question, isStranger }: { readonly question: BusyTimesRequest; readonly isStranger: boolean },
): Promise<void> {
  const { connectionId } = question
  const others = underWay.get(connectionId) ?? []
  const same = others.find((other) => answers(other.question, question))
  if (same !== undefined) return same.answered
  const asking = {
    question,
    answered: isStranger ? askForStranger(deps, question) : refreshBusyTimes(deps, question),
  }
  underWay.set(connectionId, [...others, asking])
  try {
    await asking.answered
  } finally {
    const left = (underWay.get(connectionId) ?? []).filter((other) => other !== asking)
    if (left.length > 0) underWay.set(connectionId, left)
    else underWay.delete(connectionId)
  }
}

function answers(asked: BusyTimesRequest, question: BusyTimesRequest): boolean {
  const ids = new Set(asked.calendars.map(({ id }) => id))
  return (
    question.calendars.every(({ id }) => ids.has(id)) &&
    subtractIntervals(question.during, [asked.during]).length === 0
  )
}

/** Asks the provider on behalf of a stranger. Requests beyond the rate limit share one sync. */
async function askForStranger(deps: Deps, question: BusyTimesRequest): Promise<void> {
  const { connectionId } = question
  const spent = await deps.budgets.spend([{ budget: 'calendar_checks', subject: connectionId }])
  if (spent === null) return refreshBusyTimes(deps, question)
  await inTransaction(deps.db, (trx) => scheduleSync(deps, trx, connectionId))
}
