import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type {
  NewSpecialDays,
  SpecialDaysEntry,
  SpecialDaysResponse,
  specialDaysChanges,
} from '#contract/availability/special-days.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { type DateRange, planClosedDays } from '#core/availability/plan-closing.ts'
import { listDates, toDayNumber } from '#core/shared/calendar-date.ts'
import { localDateOf, toWholeDaysInterval } from '#core/shared/zoned-time.ts'
import { keepOpen } from '#server/areas/availability/holidays/repository.ts'
import { changeHours } from '#server/areas/availability/opening-hours/use-cases.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import { refuseStaleChange } from '#server/platform/http/refuse-stale-change.ts'
import { getOwnCalendar } from '#server/records/calendars/use-cases.ts'
import type { FreedTimesDeps } from '#server/records/freed-times/use-cases.ts'
import {
  countFutureAppointments,
  deleteSpecialDays,
  insertSpecialDays,
  listSpecialDays,
  type SpecialDaysRow,
  updateSpecialDays,
} from './repository.ts'

export type SpecialDaysDeps = FreedTimesDeps & { readonly db: Db; readonly now: Clock }

/**
 * Lists the special days of a calendar that are not over, each with its number of future appointments.
 * @throws ProblemError `calendar.not_found`, `calendar.forbidden`
 */
export async function getSpecialDays(
  deps: SpecialDaysDeps,
  ownerId: OwnerId,
  calendarId: string,
): Promise<SpecialDaysResponse> {
  const calendar = await getOwnCalendar(deps, ownerId, calendarId)
  const listed = await listSpecialDays(deps.db, calendarId, localDateOf(deps.now(), calendar.timezone))
  return { special_days: await withAppointments(deps, calendar, listed) }
}

/**
 * Adds days with their own hours, or closed days. Appointments on these days are not changed. Source: rules T34 and
 * T36.
 * @throws ProblemError `calendar.*`, `special_days.over`, `special_days.overlap`, `special_days.too_many`
 */
export async function addSpecialDays(
  deps: SpecialDaysDeps,
  ownerId: OwnerId,
  calendarId: string,
  body: NewSpecialDays,
): Promise<SpecialDaysEntry> {
  const added = toRecord(randomUUID(), body)
  const calendar = await getOwnCalendar(deps, ownerId, calendarId)
  await changeUnderLock(deps, ownerId, calendar, async (trx, today) => {
    refusePast(added, today)
    const others = await listSpecialDays(trx, calendarId, today)
    if (others.length >= LIMITS.specialDays) throw new ProblemError('special_days.too_many')
    await insertSpecialDays(trx, calendarId, added)
  })
  return getEntry(deps, calendar, added)
}

/**
 * Replaces the days, hours and notes of an entry.
 * @throws ProblemError `calendar.*`, `request.changed_meanwhile`, `special_days.not_found`, `special_days.over`,
 * `special_days.overlap`
 */
export async function changeSpecialDays(
  deps: SpecialDaysDeps,
  ownerId: OwnerId,
  key: { readonly calendarId: string; readonly id: string },
  { was, ...body }: z.output<typeof specialDaysChanges>,
): Promise<SpecialDaysEntry> {
  const changed = toRecord(key.id, body)
  const calendar = await getOwnCalendar(deps, ownerId, key.calendarId)
  await changeUnderLock(deps, ownerId, calendar, async (trx, today) => {
    refusePast(changed, today)
    const stored = (await listSpecialDays(trx, key.calendarId, today)).find(({ id }) => id === key.id)
    if (stored === undefined) throw new ProblemError('special_days.not_found')
    refuseStaleChange(toBody(stored), was && toBody(toRecord(key.id, was)))
    await updateSpecialDays(trx, key.calendarId, changed)
    await rememberOpened(trx, key.calendarId, { closed: stored, kept: changed, today })
  })
  return getEntry(deps, calendar, changed)
}

/**
 * Removes special days.
 * @throws ProblemError `calendar.*`, `special_days.not_found`
 */
export async function removeSpecialDays(
  deps: SpecialDaysDeps,
  ownerId: OwnerId,
  key: { readonly calendarId: string; readonly id: string },
): Promise<void> {
  const calendar = await getOwnCalendar(deps, ownerId, key.calendarId)
  await changeUnderLock(deps, ownerId, calendar, async (trx, today) => {
    const stored = (await listSpecialDays(trx, key.calendarId, today)).find(({ id }) => id === key.id)
    if (!(await deleteSpecialDays(trx, key.calendarId, key.id))) {
      throw new ProblemError('special_days.not_found')
    }
    if (stored !== undefined) await rememberOpened(trx, key.calendarId, { closed: stored, kept: null, today })
  })
}

type OpenedDays = {
  readonly closed: SpecialDaysRow
  /** The days that the entry still has; null when it was removed. */
  readonly kept: DateRange | null
  readonly today: string
}

/** Remembers the dates of a closed holiday that the owner opened again. Source: rule T57. */
async function rememberOpened(
  trx: Trx,
  calendarId: string,
  { closed, kept, today }: OpenedDays,
): Promise<void> {
  if (closed.source !== 'holiday') return
  const { first, last } = closed
  const dates = listDates(first, toDayNumber(last) - toDayNumber(first) + 1)
  await keepOpen(trx, calendarId, {
    dates: dates.filter((date) => kept === null || date < kept.first || date > kept.last),
    today,
  })
}

/**
 * Closes days of a calendar. Existing entries lose these dates, and keep their other dates with their hours and notes.
 * Closing frees no time, so the waiting list is not scanned. The caller has locked the calendar. Source: rules A24 and
 * T34.
 * @throws ProblemError `special_days.too_many`
 */
export async function closeDays(
  trx: Trx,
  calendarId: string,
  { today, ...days }: DateRange & { readonly today: string },
): Promise<void> {
  const plan = planClosedDays(await listSpecialDays(trx, calendarId, today), days, today)
  if (plan === null) return
  if (plan.toCome > LIMITS.specialDays) throw new ProblemError('special_days.too_many')
  for (const { entry, kept } of plan.cut) {
    const [first, ...others] = kept
    if (first === undefined) await deleteSpecialDays(trx, calendarId, entry.id)
    else await updateSpecialDays(trx, calendarId, { ...entry, ...first })
    for (const other of others) {
      await insertSpecialDays(trx, calendarId, { ...entry, ...other, id: randomUUID() })
    }
  }
  await insertSpecialDays(trx, calendarId, {
    id: randomUUID(),
    ...plan.closed,
    hours: [],
    note: null,
    public_note: null,
    source: 'owner',
  })
}

type Zoned = { readonly id: string; readonly timezone: string }

/** Changes the special days of a calendar under its lock. `today` is the date in the calendar's zone. */
function changeUnderLock(
  deps: SpecialDaysDeps,
  ownerId: OwnerId,
  calendar: Zoned,
  change: (trx: Trx, today: string) => Promise<void>,
): Promise<void> {
  return changeHours(deps, ownerId, calendar.id, (trx) =>
    change(trx, localDateOf(deps.now(), calendar.timezone)),
  )
}

function refusePast({ last }: SpecialDaysRow, today: string): void {
  if (last >= today) return
  throw new ProblemError('special_days.over', [{ path: 'last_date', message: 'special_days.over' }])
}

async function getEntry(
  deps: SpecialDaysDeps,
  calendar: Zoned,
  record: SpecialDaysRow,
): Promise<SpecialDaysEntry> {
  const [entry] = await withAppointments(deps, calendar, [record])
  if (entry === undefined) throw new Error('one record makes one entry')
  return entry
}

async function withAppointments(
  { db, now }: SpecialDaysDeps,
  { id: calendarId, timezone }: Zoned,
  records: readonly SpecialDaysRow[],
): Promise<SpecialDaysEntry[]> {
  const stretches = records.map(({ first, last }) => toWholeDaysInterval(first, last, timezone))
  const counts = await countFutureAppointments(db, calendarId, stretches, new Date(now()))
  return records.map((record, i) => ({ id: record.id, ...toBody(record), appointments: counts[i] ?? 0 }))
}

function toRecord(
  id: string,
  { first_date, last_date, hours, note, public_note }: NewSpecialDays,
): SpecialDaysRow {
  return {
    id,
    first: first_date,
    last: last_date,
    hours: hours
      .map(({ start_time, end_time }) => ({ start: start_time, end: end_time }))
      .sort((a, b) => a.start.localeCompare(b.start)),
    note: note || null,
    public_note: public_note || null,
    source: 'owner',
  }
}

function toBody({ first, last, hours, note, public_note }: SpecialDaysRow) {
  return {
    first_date: first,
    last_date: last,
    hours: hours.map(({ start, end }) => ({ start_time: start, end_time: end })),
    note,
    public_note,
  }
}
