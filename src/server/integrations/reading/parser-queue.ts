import { SECOND_MS } from '#core/shared/duration.ts'
import type { ParseJob } from './parser-table.ts'
import type { ParseRequest } from './serve-parse-requests.ts'
import { type ParseOutcome, type ParserProcess, startParserProcess } from './start-parser-process.ts'

type Job = {
  readonly request: ParseRequest
  readonly signal: AbortSignal | undefined
  readonly settle: (outcome: ParseOutcome) => void
}

/**
 * How long a process may be idle before it is stopped. It uses about 60 MB, and takes a third of a second to start
 * again.
 */
const IDLE_MS = 20 * SECOND_MS

/**
 * Runs reading jobs in one process, which is started for the first job and stopped after a period without jobs. Checks
 * for bookings take precedence.
 */
export type ParserQueue = {
  read(request: Omit<ParseRequest, 'limitMs'>, order: ParseJob): Promise<ParseOutcome>
  stop(): void
}

export function buildParserQueue({
  program,
  limitMs,
}: {
  readonly program: string
  readonly limitMs: number
}): ParserQueue {
  const questions = buildFairQueue<Job>()
  const others = buildFairQueue<Job>()
  let isWorking = false
  let reader: ParserProcess | null = null
  let idle: NodeJS.Timeout | undefined

  const stop = () => {
    reader?.end()
    reader = null
  }

  async function work(): Promise<void> {
    if (isWorking) return
    isWorking = true
    clearTimeout(idle)
    for (let job = take(); job !== null; job = take()) {
      if (reader === null || reader.hasEnded()) reader = startParserProcess(program)
      job.settle(await reader.read(job.request, job.signal))
    }
    isWorking = false
    idle = setTimeout(stop, IDLE_MS).unref()
  }

  /** Removes the next job from the queues; skips aborted jobs. */
  function take(): Job | null {
    const job = questions.take() ?? others.take()
    if (job === null || job.signal?.aborted !== true) return job
    job.settle({ kind: 'failed', error: job.signal.reason, tookMs: 0 })
    return take()
  }

  return {
    read: (request, { account, isQuestion = false, signal }) =>
      new Promise((settle) => {
        const line = isQuestion ? questions : others
        line.add(account, { request: { ...request, limitMs }, signal, settle })
        void work()
      }),
    stop,
  }
}

/** A fair queue of jobs: accounts take turns, so each account waits for at most one job of every other account. */
type FairQueue<Job> = {
  add(account: string, job: Job): void
  /** Removes and returns the next job; null when there is none. */
  take(): Job | null
}

function buildFairQueue<Job>(): FairQueue<Job> {
  /** Jobs by account; the order of the map is the order of turns. */
  const jobs = new Map<string, Job[]>()
  return {
    add(account, job) {
      const own = jobs.get(account)
      if (own === undefined) jobs.set(account, [job])
      else own.push(job)
    },
    take() {
      const [next] = jobs
      if (next === undefined) return null
      const [account, own] = next
      const job = own.shift() ?? null
      jobs.delete(account)
      if (own.length > 0) jobs.set(account, own)
      return job
    },
  }
}
