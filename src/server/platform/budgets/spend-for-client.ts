import type { WindowBudgetName } from '#core/abuse/budgets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Client, NETWORK_SHARE } from '#server/platform/http/client-of.ts'
import type { Budgets, BudgetUse, SpentBudget } from './budgets.ts'

/** The keys of one use of a budget that is per client. */
export type ClientUse = {
  readonly budget: WindowBudgetName
  readonly client: Client
  /** Separates what the budget counts separately, for example kinds of links. */
  readonly what?: string
}

/**
 * Counts one use of a budget that is per client: for the client and then for its network, which has the amount of a few
 * clients. A network that has used that up adds no rows for its clients.
 * @returns null when there was room
 */
export async function spendForClient(
  budgets: Pick<Budgets, 'take' | 'find'>,
  use: ClientUse,
  db?: Db,
): Promise<SpentBudget | null> {
  const uses = listClientUses(use)
  return (await budgets.find(uses.slice(1), db)) ?? budgets.take(uses, db)
}

/** The uses of a client, and of its network where it has one: what to give back when the use did not happen. */
export function listClientUses({ budget, client, what = '' }: ClientUse): BudgetUse[] {
  const { address, network } = client
  const own = { budget, subject: `${address} ${what}` }
  return network === null ? [own] : [own, { budget, subject: `${network} ${what}`, times: NETWORK_SHARE }]
}
