import { sql } from 'kysely'
import { PAYMENT_REMINDER_DAYS } from '#core/plans/payment-reminders.ts'
import type { PlanTier } from '#core/plans/plan.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { Db } from '#server/platform/db/database.ts'

type Limit = { readonly tier: PlanTier; readonly limit: number | null }

/**
 * The owners whose number of open calendars differs from their plan, whose plan ended within the last month, or whose
 * payment is overdue. Owners who need nothing are left out as far as one statement can tell.
 */
export async function listUnsettledOwners(
  db: Db,
  { now, calendarLimit, limits }: { now: Date; calendarLimit: number | null; limits: readonly Limit[] },
): Promise<OwnerId[]> {
  // Our own constants, so no escaping is needed.
  const cases = sql.raw(limits.map(({ tier, limit }) => `when '${tier}' then ${limit ?? 'null'}`).join(' '))
  const days = sql.raw(PAYMENT_REMINDER_DAYS.join(', '))
  const { rows } = await sql<{ user_id: string }>`
    with plans as (
      select user_id, case tier ${cases} end as calendar_limit from subscriptions
      where ends_at is null or ends_at > ${now}
    ), counted as (
      select calendars.user_id, count(*) as calendars, count(*) filter (where not is_paused) as open,
        min(plans.user_id::text) is not null as has_plan, min(plans.calendar_limit) as calendar_limit
      from calendars left join plans on plans.user_id = calendars.user_id
      group by calendars.user_id
    ), wanted as (
      select user_id, open, calendars,
        case when has_plan then calendar_limit else ${calendarLimit}::integer end as calendar_limit
      from counted
    )
    select user_id from wanted where open <> least(calendars, coalesce(calendar_limit, calendars))
    union
    select user_id from subscriptions
    where provider_subscription_id is not null and ends_at <= ${now}
      and ends_at > ${now}::timestamptz - interval '30 days'
      and not exists (
        select from plan_notices as told
        where told.user_id = subscriptions.user_id and told.occasion = 'plan_ended'
          and told.created_at >= subscriptions.ends_at
      )
    union
    select user_id from subscriptions, unnest(array[${days}]) as day
    where past_due_since <= ${now}::timestamptz - day * interval '1 day' and (ends_at is null or ends_at > ${now})
      and not exists (
        select from plan_notices as told
        where told.user_id = subscriptions.user_id and told.occasion = 'payment_failed'
          and told.about like subscriptions.provider_subscription_id || ':%:' || day
          and told.created_at >= subscriptions.past_due_since + day * interval '1 day'
      )
    order by user_id`.execute(db)
  // The cast is safe: each id is an owner's.
  return rows.map(({ user_id }) => user_id as OwnerId)
}
