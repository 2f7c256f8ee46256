import { type ChildProcess, fork } from 'node:child_process'
import { MINUTE_MS } from '#core/shared/duration.ts'
import { CalendarProviderError } from '#server/ports/external-calendar.ts'
import { toCalendarError } from './serialised-error.ts'
import type { ParseRequest, ParseResponse } from './serve-parse-requests.ts'

/** The result of a reading. `too_long` means that it exceeded its CPU time, `too_much` that it exceeded its memory. */
export type ParseOutcome = { readonly tookMs: number } & (
  | { readonly kind: 'read'; readonly parts: unknown[] }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'too_long' | 'too_much' }
)

export type ParserProcess = {
  /** Runs one reading; the caller waits for it before the next call. */
  read(request: ParseRequest, signal: AbortSignal | undefined): Promise<ParseOutcome>
  hasEnded(): boolean
  end(): void
}

/**
 * Maximum heap size of the process, in MB. A file of 10 MB with 20,000 events takes about 150 MB; an idle process takes
 * about 40 MB.
 */
const MAX_HEAP_MB = 256
/**
 * How long a process may stay silent before it is killed. Only a process that does not respond at all takes as long,
 * even on a busy machine.
 */
const SILENT_MS = 3 * MINUTE_MS

/**
 * Starts a reading process. A thread would not do: a thread that reaches its memory limit can abort the whole process
 * (nodejs/node#47224). The process receives no environment variables, because they contain secrets, and it keeps the
 * product running only during a reading.
 */
export function startParserProcess(program: string): ParserProcess {
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
    async read(request, signal) {
      child.channel?.ref()
      try {
        return await ask(child, request, { signal, end })
      } finally {
        child.channel?.unref()
      }
    },
  }
}

function ask(
  child: ChildProcess,
  request: ParseRequest,
  { signal, end }: { readonly signal: AbortSignal | undefined; readonly end: () => void },
): Promise<ParseOutcome> {
  return new Promise((resolve) => {
    const parts: unknown[] = []
    const settle = (outcome: ParseOutcome) => {
      clearTimeout(timer)
      child.off('message', take)
      child.off('exit', explain)
      signal?.removeEventListener('abort', giveUp)
      resolve(outcome)
    }
    const endWith = (error: unknown) => {
      end()
      settle({ kind: 'failed', error, tookMs: request.limitMs })
    }
    const giveUp = () => endWith(signal?.reason)
    const explain = (code: number | null, by: NodeJS.Signals | null) =>
      settle({ ...toEnding(code, by), tookMs: request.limitMs })
    const take = (message: unknown) => {
      const answer = message as ParseResponse // The process sends nothing else.
      if (answer.kind === 'part') parts.push(answer.part)
      else if (answer.kind === 'done') settle({ kind: 'read', parts, tookMs: answer.tookMs })
      else settle({ kind: 'failed', error: toCalendarError(answer.error), tookMs: answer.tookMs })
    }
    const timer = setTimeout(endWith, SILENT_MS, toFailure('it did not answer'))
    child.on('message', take)
    child.once('exit', explain)
    signal?.addEventListener('abort', giveUp)
    // Errors are ignored here: if the process exits before everything is sent, its exit handler reports the reason.
    child.send(request, () => {})
  })
}

/**
 * Returns the reason why the process exited. Out of memory, it aborts itself or its watching thread aborts it. Out of
 * time, the watching thread ends it with another signal.
 */
function toEnding(code: number | null, by: NodeJS.Signals | null) {
  if (by === 'SIGXCPU') return { kind: 'too_long' } as const
  if (by === 'SIGABRT' || by === 'SIGTRAP' || code === 134) return { kind: 'too_much' } as const
  return { kind: 'failed', error: toFailure(`it ended with ${by ?? code}`) } as const
}

function toFailure(why: string): CalendarProviderError {
  return new CalendarProviderError(
    'unavailable',
    'The calendars could not be read. This is tried again soon.',
    { cause: new Error(`The process that reads calendars: ${why}`) },
  )
}
