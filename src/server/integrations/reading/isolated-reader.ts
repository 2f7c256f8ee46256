import { LRUCache } from 'lru-cache'
import { MINUTE_MS, SECOND_MS } from '#core/shared/duration.ts'
import {
  AnswerTooLargeError,
  CalendarProviderError,
  CalendarTooLargeError,
} from '#server/ports/external-calendar.ts'
import { buildReadingLane, type ReadingLane } from './reading-lane.ts'
import type { Order, Read, Readings } from './readings.ts'
import type { ReadingRequest } from './serve-readings.ts'
import type { Outcome } from './start-reading-process.ts'

export type IsolatedReader = {
  /** What an adapter uses to read: `name` is the name of its table in the program. */
  of<Table extends Readings>(name: string): Read<Table>
  stop(): void
}

/** Processor time, like the others. Hardly any calendar takes longer: 10,000 events take half of it. */
const QUICK_MS = 1.5 * SECOND_MS
/** A reading that takes longer is ended. The largest real calendar needs a tenth of it. */
const LONG_MS = 15 * SECOND_MS
/** How much work an account causes at most in so long a time. A calendar that is read every ten minutes takes a second of it. */
const BUDGET_MS = MINUTE_MS
const BUDGET_PERIOD_MS = 10 * MINUTE_MS
/** Accounts that are remembered, in each of two lists. */
const MOST_REMEMBERED = 10_000

/**
 * Builds what reads what servers of owners sent, in processes of their own, so that nothing in it holds up a visitor. There are two lanes
 * with a process each: a reading that takes long begins anew in the other one, and so does for a while whatever comes from its account.
 * Source: rules G21 and G26.
 */
export function buildIsolatedReader({
  program,
  quickMs = QUICK_MS,
  longMs = LONG_MS,
  budgetMs = BUDGET_MS,
}: {
  /** The path of a program that calls `serveReadings`. */
  readonly program: string
  readonly quickMs?: number
  readonly longMs?: number
  readonly budgetMs?: number
}): IsolatedReader {
  const quick = buildReadingLane({ program, limitMs: quickMs })
  const long = buildReadingLane({ program, limitMs: longMs })
  const remembered = { max: MOST_REMEMBERED, ttl: BUDGET_PERIOD_MS, noUpdateTTL: true }
  const slowAccounts = new LRUCache<string, true>(remembered)
  const spentMs = new LRUCache<string, number>(remembered)

  async function readIn(lane: ReadingLane, request: Asked, order: Order): Promise<Outcome> {
    const outcome = await lane.read(request, order)
    spentMs.set(order.account, (spentMs.get(order.account) ?? 0) + outcome.tookMs)
    return outcome
  }

  async function read(request: Asked, order: Order): Promise<unknown[]> {
    const { account, isQuestion = false } = order
    if ((spentMs.get(account) ?? 0) >= budgetMs)
      throw toBudgetError(isQuestion, spentMs.getRemainingTTL(account))
    if (!slowAccounts.has(account)) {
      const outcome = await readIn(quick, request, order)
      if (outcome.kind !== 'too_long') return toParts(outcome)
      slowAccounts.set(account, true)
    }
    // Nobody who books waits for it: the copy decides. Source: rule G7.
    if (isQuestion) throw new AnswerTooLargeError('refused', TOO_LONG)
    return toParts(await readIn(long, request, order))
  }

  return {
    of:
      <Table extends Readings>(table: string): Read<Table> =>
      async (name, input, order) =>
        // The table of the program has the reading under this name.
        (await read({ table, name, input }, order)) as Awaited<ReturnType<Read<Table>>> as never,
    stop() {
      quick.stop()
      long.stop()
    },
  }
}

type Asked = Omit<ReadingRequest, 'limitMs'>

const TOO_LONG = 'The calendar takes too long to read: it has too many events, or rules that repeat too much.'
const TOO_MUCH = 'The calendar takes too much memory to read: it has too many events, or they are too large.'

/** @throws CalendarProviderError */
function toParts(outcome: Outcome): unknown[] {
  if (outcome.kind === 'read') return outcome.parts
  if (outcome.kind === 'failed') throw outcome.error
  throw new CalendarTooLargeError('refused', outcome.kind === 'too_long' ? TOO_LONG : TOO_MUCH)
}

function toBudgetError(isQuestion: boolean, retryAfterMs: number): CalendarProviderError {
  const words =
    'The calendars of this account take more work to read than one account may cause. They are read again later.'
  return isQuestion
    ? new AnswerTooLargeError('refused', words)
    : new CalendarProviderError('rate_limited', words, { retryAfterMs })
}
