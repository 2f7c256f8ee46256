import type { Budgets, BudgetUse, SpentBudget } from '#server/platform/budgets/budgets.ts'
import { isDatabaseUnavailable } from '#server/platform/db/pg-errors.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'
import type { PublicCaller } from '#server/platform/http/public-caller.ts'
import type { ToPseudonym } from '#server/platform/secrets/pseudonyms.ts'
import { type BookedOnce, type BookingRequest, wasAnswered } from './book-once.ts'
import { isCalendarOf, isOwnersClient } from './caller-repository.ts'
import type { BookingsDeps } from './take-time.ts'

export type PublicBookingDeps = BookingsDeps & {
  readonly budgets: Budgets
  readonly toPseudonym: ToPseudonym
}

/** Who asks to book, where, and for which address. */
export type Asking = { readonly caller: PublicCaller; readonly slug: string; readonly email: string }

/**
 * Counts a booking for whoever asks for it, before the calendar is locked: the counts of many are then not held up by
 * one booking's commit. A booking that is refused, fails or is a repetition gives back what it took. The owner of the
 * calendar is not counted.
 *
 * `book` calls `refuse` when it is about to book: a request that was answered before is answered again, also beyond the
 * budget. Source: rule H11.
 * @throws ProblemError `booking.too_many`, `booking.too_many_for_email`
 */
export async function withinBookingBudgets(
  deps: PublicBookingDeps,
  request: BookingRequest,
  asking: Asking,
  book: (refuse: () => void) => Promise<BookedOnce>,
): Promise<BookedOnce> {
  if (await isCalendarOf(deps.db, asking.slug, asking.caller.ownerId)) return book(() => {})
  const { taken, spent } = await takeUses(deps, asking)
  try {
    const refuse = () => {
      if (spent !== null) throw toRefusal(spent)
    }
    if (spent !== null && !(await wasAnswered(deps, request))) refuse()
    const booked = await book(refuse)
    if (booked.isRepeat) await giveBack(deps, taken)
    return booked
  } catch (error) {
    await giveBack(deps, taken)
    throw error
  }
}

/**
 * In this order: first what only the caller can use up. The address comes last, because anybody can type one.
 * Source: rule H4.
 */
function listUses({ caller: { client }, slug, email }: Asking): BudgetUse[] {
  return [
    { budget: 'bookings_client_calendar', subject: `${client.address} ${slug}` },
    { budget: 'bookings_client', subject: client.address },
    ...(client.network === null ? [] : [{ budget: 'bookings_network', subject: client.network } as const]),
    { budget: 'bookings_email', subject: email.trim().toLowerCase() },
  ]
}

type Taken = { readonly taken: readonly BudgetUse[]; readonly spent: SpentBudget | null }

/**
 * Where the calendar's owner is logged in, a whole waiting room may book from one network: the limit of one calendar
 * does not apply. Source: rule H12.
 */
async function takeUses(deps: PublicBookingDeps, asking: Asking): Promise<Taken> {
  const uses = listUses(asking)
  const taken = await take(deps, uses)
  if (taken.spent?.budget !== 'bookings_client_calendar') return taken
  if (!(await isOwnersClient(deps.db, asking.slug, asking.caller.client))) return taken
  return take(deps, uses.slice(1))
}

async function take({ budgets }: PublicBookingDeps, uses: readonly BudgetUse[]): Promise<Taken> {
  const spent = await budgets.take(uses)
  if (spent === null) return { taken: uses, spent }
  return {
    taken: uses.slice(
      0,
      uses.findIndex(({ budget }) => budget === spent.budget),
    ),
    spent,
  }
}

/** What is given back too little for want of the database is only counted too much, until its window ends. */
async function giveBack({ budgets }: PublicBookingDeps, taken: readonly BudgetUse[]): Promise<void> {
  try {
    await budgets.giveBack(taken)
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error
  }
}

function toRefusal({ budget, waitSeconds }: SpentBudget): ProblemError {
  const code = budget === 'bookings_email' ? 'booking.too_many_for_email' : 'booking.too_many'
  return new ProblemError(code, [], waitSeconds)
}
