import type { WindowBudgetName } from '#core/shared/budgets.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Client, NETWORK_LIMIT_FACTOR } from '#server/platform/http/client-of-request.ts'
import type { Budgets, BudgetUse, ExceededBudget } from './budgets.ts'

/** One use of a budget that is counted per client. */
type ClientUse = {
  readonly budget: WindowBudgetName
  readonly client: Client
  /** Divides the count further, for example by kind of link. */
  readonly what?: string
}

/**
 * Counts one use for a client, and then for the client's network, whose limit is a small multiple of a client's. Once
 * the network's limit is exceeded, no rows are added for its clients.
 * @returns null when no limit was exceeded
 */
export async function spendClientBudget(
  budgets: Pick<Budgets, 'spend' | 'find'>,
  use: ClientUse,
  db?: Db,
): Promise<ExceededBudget | null> {
  const uses = listClientBudgetUses(use)
  return (await budgets.find(uses.slice(1), db)) ?? budgets.spend(uses, db)
}

/** Lists the uses of a client and of its network. Used to subtract a counted use that did not take place. */
export function listClientBudgetUses({ budget, client, what = '' }: ClientUse): BudgetUse[] {
  const { address, network } = client
  const own = { budget, subject: `${address} ${what}` }
  return network === null
    ? [own]
    : [own, { budget, subject: `${network} ${what}`, times: NETWORK_LIMIT_FACTOR }]
}
