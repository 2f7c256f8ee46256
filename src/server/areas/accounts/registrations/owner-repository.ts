import { sql } from 'kysely'
import type { PlanTier } from '#core/plans/plan.ts'
import type { Db } from '#server/platform/db/database.ts'

type ListedOwner = {
  readonly email: string
  readonly full_name: string
  readonly created_at: Date
  /** Null when the default plan applies. */
  readonly tier: PlanTier | null
  readonly has_two_factor: boolean
  readonly calendars: number
}

/** Lists accounts whose address or name contains the text, ordered by address. */
export async function listOwners(
  db: Db,
  { text, now, limit }: { readonly text: string; readonly now: Date; readonly limit: number },
): Promise<ListedOwner[]> {
  const { rows } = await sql<ListedOwner>`
    select email, full_name, profiles.created_at, tier, two_factor_enabled as has_two_factor,
      (select count(*)::integer from calendars where calendars.user_id = profiles.id) as calendars
    from profiles left join subscriptions
      on subscriptions.user_id = profiles.id and (ends_at is null or ends_at > ${now})
    where position(lower(${text}) in lower(email || ' ' || full_name)) > 0
    order by email limit ${limit}`.execute(db)
  return rows
}
