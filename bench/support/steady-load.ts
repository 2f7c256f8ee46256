import { Agent, get } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { readJsonInput } from './child-process.ts'

export type SteadyLoad = {
  readonly port: number
  readonly paths: readonly string[]
  readonly perSecond: number
  readonly seconds: number
}

export type SteadyLoadResult = { readonly p50Ms: number; readonly p99Ms: number; readonly refused: number }

/**
 * Sends requests at fixed moments, whether or not earlier ones have responses (an open loop). A response time starts at the
 * moment when the request was due, so that a pause of the server shows in every request that it delayed.
 */
const { port, paths, perSecond, seconds } = await readJsonInput<SteadyLoad>()
const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
const timesMs: number[] = []
let refused = 0
const count = Math.floor(perSecond * seconds)
const beginMs = performance.now()
const answers: Promise<void>[] = []
for (let sent = 0; sent < count; ) {
  const due = Math.min(count, Math.floor(((performance.now() - beginMs) / 1_000) * perSecond) + 1)
  for (; sent < due; sent++)
    answers.push(ask(paths[sent % paths.length] ?? '/', beginMs + (sent / perSecond) * 1_000))
  await pause(1)
}
await Promise.all(answers)
agent.destroy()
timesMs.sort((a, b) => a - b)
const at = (share: number) => timesMs[Math.floor(timesMs.length * share)] ?? Number.NaN
console.log(JSON.stringify({ p50Ms: at(0.5), p99Ms: at(0.99), refused }))

function ask(path: string, dueMs: number): Promise<void> {
  return new Promise((resolve) => {
    const settle = (isGood: boolean) => {
      if (isGood) timesMs.push(performance.now() - dueMs)
      else refused++
      resolve()
    }
    const request = get({ host: '127.0.0.1', port, path, agent }, (response) => {
      response.resume().on('end', () => settle(response.statusCode === 200))
    })
    request.on('error', () => settle(false))
  })
}
