import { normaliseEmailAddress } from '#core/shared/comparable-address.ts'
import type { PublicCaller } from '#server/platform/auth/owner-id.ts'
import type { Budgets, BudgetUse, ExceededBudget } from '#server/platform/budgets/budgets.ts'
import { isDatabaseUnavailable } from '#server/platform/db/pg-errors.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { SecretBox } from '#server/platform/secrets/secret-box.ts'
import type { ToPseudonym } from '#server/platform/secrets/signer.ts'
import type { BookingsDeps } from './deps.ts'
import { isOwnCalendar, isOwnersClient } from './repository.ts'

export type PublicBookingDeps = BookingsDeps & {
  readonly budgets: Budgets
  readonly secrets: Pick<SecretBox, 'seal'>
  readonly toPseudonym: ToPseudonym
}

/** The caller of a booking request, the calendar's slug, the customer's email address, and how many dates they book. */
type BookingCaller = {
  readonly caller: PublicCaller
  readonly slug: string
  readonly email: string
  readonly dates: number
}

/** The rate limits towards which a booking request was counted, and its refusal if one of them was exceeded. */
type SpentBookingBudgets = {
  readonly counted: readonly BudgetUse[]
  /** `booking.too_many` or `booking.too_many_for_email`; null when no limit was exceeded. */
  readonly refusal: ProblemError | null
}

/**
 * Counts a booking request towards the caller's rate limits. This happens before the calendar is locked: otherwise
 * requests would wait for each other's commits just to be counted. The calendar's owner is not counted. Source: rules
 * H11 and H12.
 */
export async function spendBookingBudgets(
  deps: PublicBookingDeps,
  asking: BookingCaller,
): Promise<SpentBookingBudgets> {
  if (await isOwnCalendar(deps.db, asking.slug, asking.caller.ownerId)) return { counted: [], refusal: null }
  const uses = listUses(asking)
  const spending = await spend(deps, uses)
  if (spending.spent?.budget !== 'bookings_client_calendar') return toSpentBudgets(spending)
  // Do not apply the limit per calendar to clients from whose IP address the owner is logged in: they may be booking
  // for a whole waiting room.
  if (!(await isOwnersClient(deps.db, asking.slug, asking.caller.client))) return toSpentBudgets(spending)
  return toSpentBudgets(await spend(deps, uses.slice(1)))
}

/**
 * Subtracts the counted uses of a booking that was refused, that failed, or that repeated an earlier request. If the
 * database is unreachable, the booking stays counted until the window ends.
 */
export async function uncountBookingBudgets(
  { budgets }: Pick<PublicBookingDeps, 'budgets'>,
  { counted }: SpentBookingBudgets,
): Promise<void> {
  if (counted.length === 0) return
  try {
    await budgets.uncount(counted)
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
  }
}

/**
 * Lists the uses to count. The order matters: limits that only the caller can use up come first. The email address
 * comes last, because anybody can enter somebody else's. A series counts each of its dates. Source: rules H4 and H11.
 */
function listUses({ caller: { client }, slug, email, dates: uses }: BookingCaller): BudgetUse[] {
  const { address, network } = client
  return [
    { budget: 'bookings_client_calendar', subject: `${address} ${slug}`, uses },
    { budget: 'bookings_client', subject: address, uses },
    ...(network === null ? [] : [{ budget: 'bookings_network', subject: network, uses } as const]),
    { budget: 'bookings_email', subject: normaliseEmailAddress(email), uses },
  ]
}

type Spending = { readonly counted: readonly BudgetUse[]; readonly spent: ExceededBudget | null }

async function spend({ budgets }: PublicBookingDeps, uses: readonly BudgetUse[]): Promise<Spending> {
  const spent = await budgets.spend(uses)
  if (spent === null) return { counted: uses, spent }
  return {
    counted: uses.slice(
      0,
      uses.findIndex(({ budget }) => budget === spent.budget),
    ),
    spent,
  }
}

function toSpentBudgets({ counted, spent }: Spending): SpentBookingBudgets {
  return { counted, refusal: spent === null ? null : toRefusal(spent) }
}

function toRefusal({ budget, waitSeconds }: ExceededBudget): ProblemError {
  const code = budget === 'bookings_email' ? 'booking.too_many_for_email' : 'booking.too_many'
  return new ProblemError(code, [], waitSeconds)
}
