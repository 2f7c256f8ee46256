import type { ProblemCode } from '#contract/shared/problem.ts'
import { HOLD_MS, type HoldReason } from '#core/appointments/hold.ts'
import { findReachedHoldLimit, HOLD_LIMITS, type HoldLimit } from '#core/appointments/hold-limits.ts'
import { hasRoomForHold } from '#core/appointments/hold-share.ts'
import { BUDGETS } from '#core/shared/budgets.ts'
import { HOUR_MS, SECOND_MS } from '#core/shared/duration.ts'
import { NO_LIMITS } from '#core/slots/booking-limits.ts'
import { ALL_DATES } from '#core/slots/booking-window.ts'
import type { Budgets } from '#server/platform/budgets/budgets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { SchedulingCalendar } from '#server/records/slots/times-repository.ts'
import {
  type BookingRequirements,
  canJoinSession,
  getBusyTimesAroundDay,
} from '#server/records/slots/use-cases.ts'
import { countHolds, listHeldTimes, lockHoldOwner } from './repository.ts'
import type { HoldOwner } from './to-hold-owner.ts'

type HoldsDeps = { readonly budgets: Pick<Budgets, 'amounts' | 'recordSpent'> }

/** A hold that is about to be created. */
export type NewHold = {
  readonly reason: HoldReason
  readonly expiresAt: Date
  /** The holder; null for the calendar's owner, whose holds are not limited. */
  readonly holder: HoldOwner | null
}

/** The refusal for each exceeded limit, and the part of the holder that the limit counts. */
const REFUSALS = {
  expiredOfClient: { code: 'hold.expired_too_often', of: 'client' },
  madeByClient: { code: 'hold.too_many_made', of: 'client' },
  openOfClient: { code: 'hold.too_many_open', of: 'client' },
  minutesOfTime: { code: 'hold.time_held_too_long', of: 'network' },
  madeByNetwork: { code: 'hold.too_many_made', of: 'network' },
  openOfNetwork: { code: 'hold.too_many_open', of: 'network' },
  expiredOfEmail: { code: 'hold.expired_too_often_for_email', of: 'email' },
  openOfEmail: { code: 'hold.too_many_open_for_email', of: 'email' },
} as const satisfies Record<HoldLimit, { code: ProblemCode; of: keyof HoldOwner }>

type WantedHold = {
  readonly reason: HoldReason
  readonly holder: HoldOwner
  readonly calendarId: string
  readonly startsAtMs: number
  readonly nowMs: number
}

/**
 * Refuses another hold to a holder who has reached a limit. Called without locks, it is an early check that saves the
 * other steps. Source: rule H2.
 * @returns how many open holds the same person has on the calendar
 * @throws ProblemError `hold.*`
 */
export async function refuseHoldOverLimitEarly(
  { budgets }: HoldsDeps,
  db: Db,
  { reason, holder, calendarId, startsAtMs, nowMs }: WantedHold,
): Promise<number> {
  const since = new Date(nowMs - HOUR_MS)
  const counting = { reason, holder, calendarId, startsAtMs, since, now: new Date(nowMs) }
  const { openOfPerson, ...counts } = await countHolds(db, counting)
  const spent = findReachedHoldLimit(counts, budgets.amounts)
  if (spent === null) return openOfPerson
  const { code, of } = REFUSALS[spent]
  budgets.recordSpent(HOLD_LIMITS[spent], holder[of])
  const waitSeconds = BUDGETS[HOLD_LIMITS[spent]].windowSeconds ?? HOLD_MS / SECOND_MS
  throw new ProblemError(code, [], waitSeconds)
}

/**
 * Refuses to hold a free time when a limit is reached. Runs under the lock of the calendar and then the locks of the
 * holder, so that simultaneous requests are counted correctly.
 * @throws ProblemError `hold.*`
 */
export async function refuseHoldOverLimit(
  deps: HoldsDeps,
  trx: Trx,
  hold: WantedHold & { readonly calendar: SchedulingCalendar; readonly requirements: BookingRequirements },
): Promise<void> {
  const { reason, holder, calendar, requirements, startsAtMs, nowMs } = hold
  await lockHoldOwner(trx, holder)
  const openOfPerson = await refuseHoldOverLimitEarly(deps, trx, hold)
  // A checkout has already released earlier holds when it gets here. A booking releases them after this refusal, and
  // then tries again.
  if (openOfPerson > 0) throw new ProblemError('hold.earlier_under_way')

  // A further seat takes no time from anybody. Source: rule B57.
  if (await canJoinSession(trx, hold)) return
  const { during, ...times } = await getBusyTimesAroundDay(trx, { calendar, requirements, startsAtMs, nowMs })
  const held = await listHeldTimes(trx, { reason, holder, calendarId: calendar.id, during })
  const heldStarts = new Set(held.map(({ startMs }) => startMs))
  const day = {
    ...times,
    // Holds may take a share of the free times of a day, whatever its limits and the booking window.
    ...NO_LIMITS,
    bookable: ALL_DATES,
    timeZone: calendar.timezone,
    rules: calendar.rules,
    durationMinutes: requirements.durationMinutes,
    prepareMinutes: requirements.prepareMinutes,
    wrapUpMinutes: requirements.wrapUpMinutes,
    nowMs,
    held,
    booked: times.busy.filter(({ startMs }) => !heldStarts.has(startMs)),
  }
  if (hasRoomForHold(day, startsAtMs, deps.budgets.amounts.held_share_of_day)) return
  deps.budgets.recordSpent('held_share_of_day', calendar.id)
  throw new ProblemError('hold.day_held', [], HOLD_MS / SECOND_MS)
}
