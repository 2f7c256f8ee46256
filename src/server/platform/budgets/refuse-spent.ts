import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { SpentBudget } from './budgets.ts'

/** @throws ProblemError `request.too_many` with the seconds to wait, when a limit was exceeded */
export function refuseIfSpent(spent: SpentBudget | null): void {
  if (spent !== null) throw new ProblemError('request.too_many', [], spent.waitSeconds)
}
