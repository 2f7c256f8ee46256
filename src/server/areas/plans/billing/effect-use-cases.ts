import type { z } from 'zod'
import type {
  chooseOpenCalendarsBody,
  PlanChangePreview,
  planChangePreviewQuery,
} from '#contract/plans/subscription.ts'
import { listOpenCalendars, sortByKeepOpenPriority } from '#core/plans/open-calendars.ts'
import { PLANS } from '#core/plans/plan.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import { inTransaction } from '#server/platform/db/transaction.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import {
  findCalendarChoiceLockedUntil,
  listCalendarsForPlanLimits,
  storeOpenCalendarChoice,
} from '#server/records/calendars/plan-use-cases.ts'
import { findPlanRow, writeOpenCalendarChoiceTime } from '#server/records/subscription/repository.ts'
import { getPlan } from '#server/records/subscription/use-cases.ts'
import type { BillingDeps } from './deps.ts'
import { listInactiveFeatures } from './queue-notices.ts'
import { lockOwner } from './repository.ts'

/** Describes the effects of changing to another plan, without changing anything. Source: rule S12. */
export async function previewPlanChange(
  deps: Pick<BillingDeps, 'db' | 'now' | 'defaultTier'>,
  ownerId: OwnerId,
  { tier }: z.output<typeof planChangePreviewQuery>,
): Promise<PlanChangePreview> {
  const now = new Date(deps.now())
  // Without a bought plan, the installation's default plan applies, which may be better than the free plan.
  const plan = PLANS[tier === 'free' ? deps.defaultTier : tier]
  const calendars = await listCalendarsForPlanLimits(deps.db, ownerId, now)
  const open = listOpenCalendars(calendars, plan.calendarLimit)
  const chosenAt = (await findPlanRow(deps.db, ownerId))?.calendarsChosenAt ?? null
  return {
    calendar_limit: plan.calendarLimit,
    calendars: sortByKeepOpenPriority(calendars).map(({ id, name, upcomingAppointments, is_paused }) => ({
      id,
      name,
      upcoming_appointments: upcomingAppointments,
      stays_open: open.has(id),
      is_paused,
    })),
    inactive: listInactiveFeatures(calendars, plan),
    choice_locked_until: findCalendarChoiceLockedUntil(calendars, chosenAt, now)?.toISOString() ?? null,
  }
}

/**
 * Chooses which calendars stay open when the plan allows fewer. If some are already paused, the choice takes effect at
 * once. Source: rule S13.
 * @throws ProblemError `calendar.not_found`, `subscription.too_many_calendars`, `subscription.choice_locked`
 */
export async function chooseOpenCalendars(
  deps: Pick<BillingDeps, 'db' | 'now' | 'defaultTier' | 'jobs'>,
  ownerId: OwnerId,
  { calendar_ids: calendarIds }: z.output<typeof chooseOpenCalendarsBody>,
): Promise<void> {
  await inTransaction(deps.db, async (trx) => {
    if ((await lockOwner(trx, ownerId)) === null) throw new ProblemError('auth.required')
    const now = new Date(deps.now())
    const chosenAt = (await findPlanRow(trx, ownerId))?.calendarsChosenAt ?? null
    const { plan } = await getPlan(deps, trx, ownerId, now)
    const choice = { calendarIds, limit: plan.calendarLimit, chosenAt, now }
    if (await storeOpenCalendarChoice(deps, trx, ownerId, choice))
      await writeOpenCalendarChoiceTime(trx, ownerId, now)
  })
}
