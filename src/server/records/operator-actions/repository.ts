import type { OperatorAction } from '#contract/accounts/operator-actions.ts'
import type { OwnerId } from '#server/platform/auth/owner-id.ts'
import type { StoredBudgetUse } from '#server/platform/budgets/budgets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Trx } from '#server/platform/db/transaction.ts'

/** Maximum number of actions that an owner sees. */
const LISTED_ACTIONS = 100

type NewOperatorAction = Pick<OperatorAction, 'action'> & {
  readonly at: Date
  readonly detail?: string
  /** The counts that an unlocking deleted. */
  readonly counts?: readonly StoredBudgetUse[]
}

/** Records for the owner what the operator did to their account. Source: rule U37. */
export async function recordOperatorAction(
  db: Db,
  ownerId: OwnerId,
  { at, action, detail, counts }: NewOperatorAction,
): Promise<void> {
  await db
    .insertInto('operator_actions')
    .values({
      user_id: ownerId,
      at,
      action,
      detail: detail ?? null,
      counts: counts === undefined ? null : JSON.stringify(counts),
    })
    .execute()
}

/** Lists what the operator did to an account, the latest first. */
export async function listOperatorActions(db: Db, ownerId: OwnerId): Promise<OperatorAction[]> {
  const rows = await db
    .selectFrom('operator_actions')
    .select(['id', 'at', 'action', 'detail'])
    .where('user_id', '=', ownerId)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(LISTED_ACTIONS)
    .execute()
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }))
}

/** Returns the counts of the latest unlocking and forgets them. Null when there is none that can be undone. */
export async function consumeUnlockedCounts(
  trx: Trx,
  ownerId: OwnerId,
): Promise<readonly StoredBudgetUse[] | null> {
  const latest = await trx
    .selectFrom('operator_actions')
    .select(['id', 'counts'])
    .where('user_id', '=', ownerId)
    .where('counts', 'is not', null)
    .orderBy('at', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (latest === undefined) return null
  await trx
    .updateTable('operator_actions')
    .set({ counts: null })
    .where('user_id', '=', ownerId)
    .where('id', '=', latest.id)
    .execute()
  // The column holds what `recordOperatorAction` wrote.
  return latest.counts as unknown as readonly StoredBudgetUse[]
}
