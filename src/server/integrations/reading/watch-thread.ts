import { parentPort } from 'node:worker_threads'

/** The limit of the reading that begins, in processor time; null when a reading has ended. */
export type TimeLimitMessage = { readonly limitMs: number } | null

/** A heap at its limit, and the file of 10 MB with its copies. The limit of the heap does not count what is outside of it. */
const MAX_MEMORY_BYTES = 400_000_000
const LOOK_MS = 50

/**
 * The thread that watches the process of readings, which a reading keeps from everything else. It ends the process when a reading has
 * used up its processor time, or takes too much memory, and when the process that
 * started it was killed.
 */
let endCpuMs = Number.POSITIVE_INFINITY
const parentPid = process.ppid

parentPort?.on('message', (watched: TimeLimitMessage) => {
  endCpuMs = watched === null ? Number.POSITIVE_INFINITY : cpuMs() + watched.limitMs
})
setInterval(() => {
  if (process.memoryUsage.rss() > MAX_MEMORY_BYTES) process.kill(process.pid, 'SIGABRT')
  else if (cpuMs() > endCpuMs) process.kill(process.pid, 'SIGXCPU')
  else if (process.ppid !== parentPid) process.kill(process.pid, 'SIGKILL')
}, LOOK_MS)

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
