import { Counter, type Registry } from 'prom-client'
import { BUDGETS, type BudgetAmounts, type BudgetName, type WindowBudgetName } from '#core/shared/budgets.ts'
import { SECOND_MS } from '#core/shared/duration.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Db } from '#server/platform/db/database.ts'
import { prepareStatement } from '#server/platform/db/prepared-statement.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { Log } from '#server/platform/log.ts'
import type { ToPseudonym } from '#server/platform/secrets/signer.ts'

/** One use that counts towards a rate limit (budget) of a subject, for example of a client's address. */
export type BudgetUse = {
  readonly budget: WindowBudgetName
  readonly subject: string
  /** Factor for the limit of this subject, which can represent several clients; defaults to 1. */
  readonly times?: number
  /** How many uses it counts at once; defaults to 1. They are counted together if at least one is allowed. */
  readonly uses?: number
}

/** A count as it is stored, under the pseudonym of its subject. `ends_at` is an instant. */
export type StoredBudgetUse = { readonly key: string; readonly used: number; readonly ends_at: string }

/** The exceeded limit, and the seconds until another use is allowed. */
export type ExceededBudget = { readonly budget: WindowBudgetName; readonly waitSeconds: number }

export type Budgets = {
  /** The rate limits of this installation, including those that are not counted in windows. */
  readonly amounts: BudgetAmounts
  /**
   * Counts a use of each budget in order, and stops at the first exceeded limit. List first the budgets that only the
   * caller can use up, and each budget once. Runs one statement, whose counts are exact across processes. Never call it
   * inside a transaction unless `db` is that transaction. Source: rule H14.
   * @returns null when no limit was exceeded
   */
  readonly spend: (uses: readonly BudgetUse[], db?: Db) => Promise<ExceededBudget | null>
  /** Finds an exceeded limit without counting a use. */
  readonly find: (uses: readonly BudgetUse[], db?: Db) => Promise<ExceededBudget | null>
  /** Subtracts counted uses that did not take place. */
  readonly uncount: (uses: BudgetUse | readonly BudgetUse[], db?: Db) => Promise<void>
  /** Resets a count after the attempts have proved legitimate. */
  readonly clear: (use: BudgetUse, db?: Db) => Promise<void>
  /** Deletes the counts of these uses and returns them, for `restore`. */
  readonly take: (uses: readonly BudgetUse[], db: Db) => Promise<StoredBudgetUse[]>
  /** Puts counts back whose windows have not ended. Uses counted since then count in addition. */
  readonly restore: (counts: readonly StoredBudgetUse[], db: Db) => Promise<void>
  /** Logs an exceeded limit and counts it in the metrics, for budgets that are not counted in windows. */
  readonly recordSpent: (budget: BudgetName, subject: string) => void
}

type BudgetsOptions = {
  readonly db: Db
  readonly now: Clock
  readonly log: Pick<Log, 'warn'>
  readonly amounts: BudgetAmounts
  readonly metrics: Registry
  readonly toPseudonym: ToPseudonym
}

/** Maximum number of exceeded limits that this process remembers as already logged. */
const MAX_LOGGED = 10_000

/**
 * Counts uses in the table `budget_uses`. Rows hold pseudonyms, because email addresses that strangers enter are not
 * stored. A refused use writes nothing, so each request of an attacker beyond the limit costs one read.
 */
export function buildBudgets(options: BudgetsOptions): Budgets {
  const { db: ownDb, now, log, amounts, metrics, toPseudonym } = options
  const toKey: ToKey = ({ budget, subject }) => `${budget}:${toPseudonym('budget subject', subject)}`
  const spentCounter = new Counter({
    name: 'meridian_budget_spent_total',
    help: 'How often something was refused or delayed because a budget had no room',
    labelNames: ['budget'],
    registers: [metrics],
  })
  const logged = new Map<string, number>()

  const recordSpent = (budget: BudgetName, subject: string): void => {
    spentCounter.labels({ budget }).inc()
    const key = toKey({ budget, subject })
    // Write one log line per subject and window, so that an attack cannot fill the log.
    if ((logged.get(key) ?? 0) > now()) return
    if (logged.size >= MAX_LOGGED) logged.clear()
    logged.set(key, now() + (BUDGETS[budget].windowSeconds ?? 60) * SECOND_MS)
    log.warn({ budget, subject: key.slice(-12) }, 'a budget is spent')
  }

  return {
    amounts,
    recordSpent,
    async spend(uses, db = ownDb) {
      if (uses.length === 0) return null
      const at = new Date(now())
      const [row] = await countUses(db, uses, { at, amounts, toKey, isAlone: db === ownDb })
      const spent = uses[row?.counted ?? 0]
      if (spent === undefined) return null
      recordSpent(spent.budget, spent.subject)
      return { budget: spent.budget, waitSeconds: await readWaitSeconds(db, toKey(spent), at) }
    },
    async find(uses, db = ownDb) {
      const at = new Date(now())
      for (const use of uses) {
        const row = await db
          .selectFrom('budget_uses')
          .select('used')
          .where('key', '=', toKey(use))
          .where('ends_at', '>', at)
          .executeTakeFirst()
        if ((row?.used ?? 0) < toAmount(use, amounts)) continue
        return { budget: use.budget, waitSeconds: await readWaitSeconds(db, toKey(use), at) }
      }
      return null
    },
    async uncount(uses, db = ownDb) {
      const counted = [uses].flat()
      await uncountUses(db, [counted.map(toKey), counted.map(({ uses: count = 1 }) => count)])
    },
    async clear(use, db = ownDb) {
      await db.deleteFrom('budget_uses').where('key', '=', toKey(use)).execute()
    },
    async take(uses, db) {
      const rows = await db
        .deleteFrom('budget_uses')
        .where('key', 'in', uses.map(toKey))
        .returning(['key', 'used', 'ends_at'])
        .execute()
      return rows.map((row) => ({ ...row, ends_at: row.ends_at.toISOString() }))
    },
    async restore(counts, db) {
      const open = counts.filter(({ ends_at }) => Date.parse(ends_at) > now())
      if (open.length === 0) return
      await db
        .insertInto('budget_uses')
        .values(open.map(({ key, used, ends_at }) => ({ key, used, ends_at: new Date(ends_at) })))
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet((eb) => ({
            used: eb('budget_uses.used', '+', eb.ref('excluded.used')),
            ends_at: eb.ref('excluded.ends_at'),
          })),
        )
        .execute()
    },
  }
}

function toAmount({ budget, times = 1 }: BudgetUse, amounts: BudgetAmounts): number {
  return amounts[budget] * times
}

/** Returns the key of a row: the budget and the subject's pseudonym. */
type ToKey = (use: { readonly budget: BudgetName; readonly subject: string }) => string

/** Cache of counting statements, by number of budgets. */
const countStatements = new Map<number, ReturnType<typeof prepareStatement<{ counted: number }>>>()

/**
 * Counts uses and returns how many were within the limits. Each part of the statement waits for the previous part, and
 * does nothing if the previous part exceeded its limit. Rows stay locked in the given order until the statement ends,
 * so all callers must name the same budgets in the same order.
 */
function countUses(
  db: Db,
  uses: readonly BudgetUse[],
  {
    at,
    amounts,
    toKey,
    isAlone,
  }: {
    at: Date
    amounts: BudgetAmounts
    toKey: ToKey
    /** True when the counts are committed on their own, without other changes. */
    isAlone: boolean
  },
): Promise<{ counted: number }[]> {
  const statement =
    countStatements.get(uses.length) ??
    prepareStatement<{ counted: number }>(`count-${uses.length}-budgets`, toCountSql(uses.length))
  countStatements.set(uses.length, statement)
  const parameters = uses.flatMap((use) => {
    const endsAt = new Date(at.getTime() + BUDGETS[use.budget].windowSeconds * SECOND_MS)
    return [toKey(use), endsAt, toAmount(use, amounts), use.uses ?? 1]
  })
  return statement(db, [at, isAlone, ...parameters])
}

/**
 * Builds the counting statement. A client's row stays locked until the commit. When only the counts are committed, the
 * commit does not wait for the disk (asynchronous commit), so the client's next request waits less. If the database
 * server crashes, counts of the last second can be lost.
 */
function toCountSql(uses: number): string {
  const parts = Array.from({ length: uses }, (_, i) => {
    const [key, endsAt, max, count] = [3, 4, 5, 6].map((first) => `$${first + 4 * i}`)
    return `counted_${i} as (
      insert into budget_uses as present (key, used, ends_at)
      select ${key}, ${count}::integer, ${endsAt}::timestamptz
      where ${max}::integer > 0 ${i === 0 ? '' : `and exists (select from counted_${i - 1})`}
      on conflict (key) do update set
        used = case when present.ends_at <= $1 then excluded.used else present.used + excluded.used end,
        ends_at = case when present.ends_at <= $1 then excluded.ends_at else present.ends_at end
      where present.ends_at <= $1 or present.used < ${max}::integer
      returning 1
    )`
  })
  const counts = parts.map((_, i) => `(select count(*) from counted_${i})`)
  return `with ${parts.join(', ')} select (${counts.join(' + ')})::integer as counted,
    case when $2::boolean then set_config('synchronous_commit', 'off', true) end`
}

/**
 * Subtracts uses of each key. Locks rows in the given order, like the counting statement. Deletes rows without uses,
 * so that made-up subjects leave nothing behind.
 */
const uncountUses = prepareStatement(
  'uncount-budgets',
  `with listed as (
    select present.key, used, uses from unnest($1::text[], $2::integer[]) with ordinality as named (key, uses, place)
    join budget_uses as present on present.key = named.key order by place for update of present
  ), emptied as (
    delete from budget_uses using listed where budget_uses.key = listed.key and listed.used <= listed.uses
  )
  update budget_uses set used = budget_uses.used - listed.uses from listed
  where budget_uses.key = listed.key and listed.used > listed.uses`,
)

async function readWaitSeconds(db: Db, key: string, at: Date): Promise<number> {
  const row = await db.selectFrom('budget_uses').select('ends_at').where('key', '=', key).executeTakeFirst()
  const waitMs = row === undefined ? 0 : row.ends_at.getTime() - at.getTime()
  return Math.max(1, Math.ceil(waitMs / SECOND_MS))
}

/**
 * Throws when a rate limit was exceeded.
 * @throws ProblemError `request.too_many` with the seconds to wait, when a limit was exceeded
 */
export function refuseIfOverBudget(spent: ExceededBudget | null): void {
  if (spent !== null) throw new ProblemError('request.too_many', [], spent.waitSeconds)
}
