import { parentPort } from 'node:worker_threads'

/** A message with the CPU time limit of a reading that begins; null when the reading has ended. */
export type TimeLimitMessage = { readonly limitMs: number } | null

/**
 * Maximum memory of the process: a full heap, plus the 10 MB file and its copies. The heap limit does not cover memory
 * outside the heap.
 */
const MAX_MEMORY_BYTES = 400_000_000
const CHECK_EVERY_MS = 50

/**
 * Thread that watches the reading process, whose main thread is blocked by the reading. Ends the process when a reading
 * exceeds its CPU time or memory, and when the parent process was killed.
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
}, CHECK_EVERY_MS)

function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
