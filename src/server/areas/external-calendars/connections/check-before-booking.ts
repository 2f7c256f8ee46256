import { LIMITS } from '#contract/limits.ts'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { type Interval, subtract } from '#core/shared/interval.ts'
import type { TimeToCheck } from '#server/areas/appointments/bookings/deps.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { isStartOffered, type RequestedStart } from '#server/records/slots/use-cases.ts'
import {
  areAllCalendarsFresh,
  type CalendarName,
  listStaleCalendars,
  type StaleCalendar,
} from './check-repository.ts'
import type { AccessDeps } from './deps.ts'
import { scheduleSync } from './queue-syncs.ts'
import { type BusyTimesQuestion, refreshBusyTimes } from './refresh-busy-times.ts'

/** How old the copy, or an answer about the same time, may be for a booking. Source: rule G7. */
const FRESH_MS = MINUTE_MS
/** How long nobody asks again a provider that did not answer. By then a sync has tried, too. */
const REST_MS = MINUTE_MS

/** What a booking can reach: the longest buffer before its start, and the longest type with the buffer after it. */
const LONGEST_BUFFER_MS = 60 * MINUTE_MS
const LONGEST_MS = LIMITS.typeDurationMax * MINUTE_MS + LONGEST_BUFFER_MS

/** A stretch of time about which providers may be asked. */
export type TimeToQuery = {
  readonly calendar: CalendarName
  readonly during: Interval
  /** What a customer wants to book; null when the owner of the calendar books. */
  readonly wanted: (RequestedStart & { readonly isPromised?: boolean }) | null
}

/** The time that a booking can reach, whatever is booked. */
export function toTimeToQuery(time: TimeToCheck): TimeToQuery {
  const { startsAtMs } = time
  const during = { startMs: startsAtMs - LONGEST_BUFFER_MS, endMs: startsAtMs + LONGEST_MS }
  return time.by === 'owner'
    ? { calendar: { id: time.calendarId }, during, wanted: null }
    : { calendar: { slug: time.slug }, during, wanted: time }
}

type Deps = AccessDeps & { readonly budgets: Pick<Budgets, 'take'> }

/** Questions that this process waits for, by the account. */
type UnderWay = Map<string, { readonly question: BusyTimesQuestion; readonly answered: Promise<void> }[]>

/**
 * Returns what is called before a time is booked. It asks the providers of the external calendars that the calendar reads for
 * exactly this time, where our copy is older than a minute, and corrects the copy. So the rules that decide inside the booking's
 * transaction decide by what is true now. A provider that does not answer within two seconds counts as not checked: the owner's
 * policy decides then. It never throws, and is never called inside a transaction.
 *
 * Strangers must not use up what the owner may ask of a provider: for a customer nobody is asked about a time that our own tables
 * do not offer or hold for them, requests at the same moment share one answer, and there is a budget. Source: rules G7 and G8.
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
 * Checks a time as before a booking, and returns whether every external calendar was checked freshly. It never throws. Source: rule G28.
 */
export async function verifyTime(
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
    failedSince: new Date(at - REST_MS),
    now: new Date(at),
  })
}

/** Waits for a question under way that has the answer, or asks. */
async function askOnce(
  deps: Deps,
  underWay: UnderWay,
  { question, isStranger }: { readonly question: BusyTimesQuestion; readonly isStranger: boolean },
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

function answers(asked: BusyTimesQuestion, question: BusyTimesQuestion): boolean {
  const ids = new Set(asked.calendars.map(({ id }) => id))
  return (
    question.calendars.every(({ id }) => ids.has(id)) &&
    subtract(question.during, [asked.during]).length === 0
  )
}

/** Where many questions came in a minute, one sync answers them all. */
async function askForStranger(deps: Deps, question: BusyTimesQuestion): Promise<void> {
  const { connectionId } = question
  const spent = await deps.budgets.take([{ budget: 'calendar_checks', subject: connectionId }])
  if (spent === null) return refreshBusyTimes(deps, question)
  await inTransaction(deps.db, (trx) => scheduleSync(deps, trx, connectionId))
}
