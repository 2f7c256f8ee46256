import type {
  PageProblem as ListedProblem,
  PageProblemsResponse,
} from '#contract/availability/page-problems.ts'
import {
  type CheckedType,
  findPageProblems,
  LOADED_DAYS,
  type PageProblem,
} from '#core/calendars/page-problems.ts'
import { decidePaymentTerms } from '#core/payments/payment-terms.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { earliestDateNow } from '#core/slots/displayed-days.ts'
import { getBusyTimeWindow } from '#core/slots/open-slots.ts'
import { toWeeklyOpening } from '#server/areas/availability/appointment-types/hours-repository.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import type { JobQueue } from '#server/platform/jobs/job-queue.ts'
import { type CalendarsDeps, getOfferedPaymentProviders } from '#server/records/calendars/use-cases.ts'
import { loadBookableDates } from '#server/records/slots/bookable-dates.ts'
import { listApplyingLimits } from '#server/records/slots/limits-repository.ts'
import {
  findSchedulingTimes,
  findSlotInputs,
  type SlotInputs,
} from '#server/records/slots/times-repository.ts'
import { TIME_WITHOUT_TYPE } from '#server/records/slots/use-cases.ts'
import { PAGE_PROBLEM_MAIL_JOB } from './job-definitions.ts'
import {
  listCalendarsWithProblems,
  listOpenCalendars,
  listStoredProblems,
  listTypesToCheck,
  replaceProblems,
} from './repository.ts'

type StoredProblem = Awaited<ReturnType<typeof listStoredProblems>>[number]

export type PageCheckDeps = { readonly db: Db; readonly now: Clock } & Pick<
  CalendarsDeps,
  'providers' | 'defaultTier'
>

/** A new calendar is not checked while its owner is likely to be setting it up. */
const SET_UP_MS = DAY_MS

/**
 * Checks the pages of all calendars that take bookings, and queues an email to the owner of each calendar with a new
 * problem. Source: rule C20.
 */
export async function checkPages(
  deps: PageCheckDeps & { readonly jobs: Pick<JobQueue, 'insert'> },
): Promise<void> {
  const now = new Date(deps.now())
  for (const calendar of await listOpenCalendars(deps.db, new Date(now.getTime() - SET_UP_MS))) {
    const problems = await checkPage(deps, calendar)
    if (problems === null) continue
    await inTransaction(deps.db, async (trx) => {
      if (await replaceProblems(trx, { calendarId: calendar.id, problems, now })) {
        const job = { calendarId: calendar.id, foundAt: now.toISOString() }
        await deps.jobs.insert(trx, PAGE_PROBLEM_MAIL_JOB, [job])
      }
    })
  }
}

/** Lists the problems of the owner's pages that the last check found and that are still there. Source: rule C20. */
export async function listPageProblems(deps: PageCheckDeps, ownerId: OwnerId): Promise<PageProblemsResponse> {
  const calendars = await listCalendarsWithProblems(deps.db, ownerId)
  if (calendars.length === 0) return { problems: [] }
  const current = new Map<string, readonly PageProblem[]>()
  for (const calendar of calendars) current.set(calendar.id, (await checkPage(deps, calendar)) ?? [])
  const stored = await listStoredProblems(deps.db, [...current.keys()])
  const today = earliestDateNow(deps.now())
  return {
    problems: stored
      .filter((row) =>
        row.date === null
          ? current
              .get(row.calendar_id)
              ?.some(({ kind, typeId }) => kind === row.kind && typeId === row.appointment_type_id)
          : row.date >= today,
      )
      .map(({ calendar_id, calendar_name, kind, appointment_type_name, ...row }) => ({
        calendar_id,
        calendar_name,
        kind,
        appointment_type_name,
        missed_date: toMissedDate(row),
      })),
  }
}

/** Returns the date of a standing appointment that a stored problem is about; null for other problems. */
export function toMissedDate({
  date,
  reason,
  customer_name,
}: Pick<StoredProblem, 'date' | 'reason' | 'customer_name'>): ListedProblem['missed_date'] {
  return date === null || reason === null ? null : { date, reason, customer_name: customer_name ?? '' }
}

/** Returns the present problems of a page; null when the calendar was deleted or takes no bookings. */
async function checkPage(
  deps: PageCheckDeps,
  { id: calendarId, slug }: { readonly id: string; readonly slug: string },
): Promise<PageProblem[] | null> {
  const { db } = deps
  const nowMs = deps.now()
  const during = getBusyTimeWindow({ firstDate: earliestDateNow(nowMs), dayCount: LOADED_DAYS + 1 })
  const found = await findSlotInputs(db, { slug, typeId: null, during, nowMs })
  if (found === null || found.isPaused) return null
  const own = await findSchedulingTimes(db, {
    calendarId,
    locationId: null,
    typeId: null,
    during,
    nowMs,
    isAlone: true,
  })
  const { timezone: timeZone, rules } = found.calendar
  const types = await listCheckedTypes(deps, found, nowMs)
  return findPageProblems({ ...found.times, ownBusy: own.busy, timeZone, rules, types, nowMs })
}

async function listCheckedTypes(
  deps: PageCheckDeps,
  { calendar: { rules, ...calendar }, times: { bookingLimits } }: SlotInputs,
  nowMs: number,
): Promise<CheckedType[]> {
  const types = await listTypesToCheck(deps.db, calendar.id)
  const windows = [rules.window, ...types.flatMap(({ booking_window }) => booking_window ?? [])]
  const toDates = await loadBookableDates(deps.db, calendar, windows, nowMs)
  if (types.length === 0) {
    const bookable = toDates(rules.window)
    const limits = listApplyingLimits(bookingLimits, null)
    return [{ id: null, ...TIME_WITHOUT_TYPE, lacksProvider: false, bookable, hasOwnWindow: false, limits }]
  }
  const offered = await getOfferedPaymentProviders(deps, calendar.id)
  const providerConnected = offered.stripe_connected || offered.paypal_connected
  return types.map((type) => ({
    id: type.id,
    durationMinutes: type.duration,
    prepareMinutes: type.prepare_minutes,
    wrapUpMinutes: type.wrap_up_minutes,
    typeOpenings: type.hours.map(toWeeklyOpening),
    bookable: toDates(type.booking_window ?? rules.window),
    hasOwnWindow: type.booking_window !== null,
    limits: listApplyingLimits(bookingLimits, type.id),
    lacksProvider: decidePaymentTerms({
      priceCents: type.price_cents,
      calendarRequiresPayment: type.calendar_requires_payment,
      typeRequiresPayment: type.payment_required,
      paymentEnabled: type.payment_enabled,
      providerConnected,
    }).lacksProvider,
  }))
}
