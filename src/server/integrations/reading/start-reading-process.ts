import { type ChildProcess, fork } from 'node:child_process'
import { SECOND_MS } from '#core/shared/duration.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { toCalendarError } from './sent-error.ts'
import type { ReadingAnswer, ReadingRequest } from './serve-readings.ts'

/**
 * How a reading ended. `too_long`: it took more than its time. `too_much`: it took more memory than there is for it.
 */
export type Outcome =
  | { readonly kind: 'read'; readonly parts: unknown[] }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'too_long' | 'too_much' }

export type ReadingProcess = {
  /** One at a time. After any outcome but `read` and `failed` the process has ended. */
  read(
    request: ReadingRequest,
    limits: { readonly limitMs: number; readonly signal: AbortSignal | undefined },
  ): Promise<Outcome>
  readonly hasEnded: () => boolean
  end(): void
}

/** A file of 10 MB with 20,000 events takes some 150 MB, and a process without any some 40 MB. */
const MAX_HEAP_MB = 256
/** From the start of a process to the beginning of a reading: it loads its libraries, on a machine that has other work. */
const START_MS = 20 * SECOND_MS

/**
 * Starts a process that reads. A thread would not do: one that reaches the limit of its memory can end the whole process
 * (nodejs/node#47224), and nothing ends one that is in a regular expression. It is given no settings, because they have secrets, and it
 * keeps nobody from ending.
 */
export function startReadingProcess(program: string): ReadingProcess {
  const child = fork(program, {
    env: {},
    execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  child.unref()
  child.channel?.unref()
  let hasEnded = false
  const end = () => {
    hasEnded = true
    child.kill('SIGKILL')
  }
  child.on('error', end)
  child.once('exit', () => {
    hasEnded = true
  })
  return {
    hasEnded: () => hasEnded,
    end,
    async read(request, { limitMs, signal }) {
      child.channel?.ref()
      try {
        return await ask(child, request, { limitMs, signal, end })
      } finally {
        child.channel?.unref()
      }
    },
  }
}

type Limits = {
  readonly limitMs: number
  readonly signal: AbortSignal | undefined
  readonly end: () => void
}

function ask(
  child: ChildProcess,
  request: ReadingRequest,
  { limitMs, signal, end }: Limits,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const parts: unknown[] = []
    const settle = (outcome: Outcome) => {
      clearTimeout(timer)
      child.off('message', take)
      child.off('exit', explain)
      signal?.removeEventListener('abort', giveUp)
      resolve(outcome)
    }
    const endWith = (outcome: Outcome) => {
      end()
      settle(outcome)
    }
    const giveUp = () => endWith({ kind: 'failed', error: signal?.reason })
    const explain = (code: number | null, by: NodeJS.Signals | null) => settle(toOutcome(code, by))
    const take = (message: unknown) => {
      const answer = message as ReadingAnswer // The process sends nothing else.
      if (answer.kind === 'part') parts.push(answer.part)
      else if (answer.kind === 'done') settle({ kind: 'read', parts })
      else if (answer.kind === 'failed') settle({ kind: 'failed', error: toCalendarError(answer.error) })
      else {
        clearTimeout(timer)
        timer = setTimeout(endWith, limitMs, { kind: 'too_long' })
      }
    }
    let timer = setTimeout(endWith, START_MS, { kind: 'failed', error: toFailure('it did not begin') })
    child.on('message', take)
    child.once('exit', explain)
    signal?.addEventListener('abort', giveUp)
    // When it has ended before it was sent all, its exit says more.
    child.send(request, () => {})
  })
}

/** Without memory a process aborts. */
function toOutcome(code: number | null, by: NodeJS.Signals | null): Outcome {
  if (by === 'SIGABRT' || by === 'SIGTRAP' || code === 134) return { kind: 'too_much' }
  return { kind: 'failed', error: toFailure(`it ended with ${by ?? code}`) }
}

function toFailure(why: string): CalendarProviderError {
  return new CalendarProviderError(
    'unavailable',
    'The calendars could not be read. This is tried again soon.',
    {
      cause: new Error(`The process that reads calendars: ${why}`),
    },
  )
}
