import { LRUCache } from 'lru-cache'
import { MINUTE_MS, SECOND_MS } from '#core/shared/duration.ts'
import {
  CalendarProviderError,
  CalendarTooLargeError,
  ResponseTooLargeError,
} from '#server/ports/external-calendar.ts'
import { buildParserQueue, type ParserQueue } from './parser-queue.ts'
import type { ParseJob, ParserTable, RunParser } from './parser-table.ts'
import type { ParseRequest } from './serve-parse-requests.ts'
import type { ParseOutcome } from './start-parser-process.ts'

export type IsolatedParser = {
  /** Returns a reader for one adapter. `name` selects the adapter's table of parsers in the process. */
  of<Table extends ParserTable>(name: string): RunParser<Table>
  stop(): void
}

/**
 * CPU time after which a reading moves to the slow lane. Hardly any calendar takes longer: 10,000 events take half of
 * it.
 */
const QUICK_MS = 1.5 * SECOND_MS
/** CPU time after which a reading is aborted. The largest real calendar needs a tenth of it. */
const LONG_MS = 15 * SECOND_MS
/** Maximum CPU time per account and period. A calendar that is read every ten minutes uses one second of it. */
const BUDGET_MS = MINUTE_MS
const BUDGET_PERIOD_MS = 10 * MINUTE_MS
/** Maximum number of accounts that each of two caches remembers. */
const MOST_REMEMBERED = 10_000

/**
 * Parses responses of owners' servers in separate processes, so that no content can block visitors. There are two lanes
 * with one process each: a reading that takes too long restarts in the slow lane, and for a while all readings of its
 * account go there too. Source: rules G21 and G26.
 */
export function buildIsolatedParser({
  program,
  quickMs = QUICK_MS,
  longMs = LONG_MS,
  budgetMs = BUDGET_MS,
}: {
  /** Path of a program that calls `serveParseRequests`. */
  readonly program: string
  readonly quickMs?: number
  readonly longMs?: number
  readonly budgetMs?: number
}): IsolatedParser {
  const quick = buildParserQueue({ program, limitMs: quickMs })
  const long = buildParserQueue({ program, limitMs: longMs })
  const remembered = { max: MOST_REMEMBERED, ttl: BUDGET_PERIOD_MS, noUpdateTTL: true }
  const slowAccounts = new LRUCache<string, true>(remembered)
  const spentMs = new LRUCache<string, number>(remembered)

  async function readIn(lane: ParserQueue, request: Asked, order: ParseJob): Promise<ParseOutcome> {
    const outcome = await lane.read(request, order)
    spentMs.set(order.account, (spentMs.get(order.account) ?? 0) + outcome.tookMs)
    return outcome
  }

  async function read(request: Asked, order: ParseJob): Promise<unknown[]> {
    const { account, isQuestion = false } = order
    if ((spentMs.get(account) ?? 0) >= budgetMs)
      throw toBudgetError(isQuestion, spentMs.getRemainingTTL(account))
    if (!slowAccounts.has(account)) {
      const outcome = await readIn(quick, request, order)
      if (outcome.kind !== 'too_long') return toParts(outcome)
      slowAccounts.set(account, true)
    }
    // Do not keep a booking waiting: it uses the stored copy instead. Source: rule G7.
    if (isQuestion) throw new ResponseTooLargeError('refused', TOO_LONG)
    return toParts(await readIn(long, request, order))
  }

  return {
    of:
      <Table extends ParserTable>(table: string): RunParser<Table> =>
      async (name, input, order) =>
        // This cast is safe: the process's table contains the parser under this name.
        (await read({ table, name, input }, order)) as Awaited<ReturnType<RunParser<Table>>> as never,
    stop() {
      quick.stop()
      long.stop()
    },
  }
}

type Asked = Omit<ParseRequest, 'limitMs'>

const TOO_LONG = 'The calendar takes too long to read: it has too many events, or rules that repeat too much.'
const TOO_MUCH = 'The calendar takes too much memory to read: it has too many events, or they are too large.'

/**
 * Returns the parts of a result.
 * @throws CalendarProviderError when the reading failed
 */
function toParts(outcome: ParseOutcome): unknown[] {
  if (outcome.kind === 'read') return outcome.parts
  if (outcome.kind === 'failed') throw outcome.error
  throw new CalendarTooLargeError('refused', outcome.kind === 'too_long' ? TOO_LONG : TOO_MUCH)
}

function toBudgetError(isQuestion: boolean, retryAfterMs: number): CalendarProviderError {
  const words = 'This account’s calendars take too long to read. We’ll try again later.'
  return isQuestion
    ? new ResponseTooLargeError('refused', words)
    : new CalendarProviderError('rate_limited', words, { retryAfterMs })
}
