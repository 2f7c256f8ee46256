import { writeFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { type ArbitraryRequest, arbitraryRequest, type RequestCaller } from '#tests/support/any-request.ts'
import * as fc from '#tests/support/fast-check.ts'
import { findResponseMistake } from '#tests/support/judge-answer.ts'
import { makeOwner, startMeridian } from '#tests/support/meridian.ts'
import { makeOneRecordOfEachKind, type OneRecordOfEachKind } from '#tests/support/one-of-each.ts'
import { readOpenApiDocument } from '#tests/support/open-api.ts'

/** Number of requests. `tests/prove/fuzz.ts` sends more, with its own seed. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 300)
const SEED = Number(process.env.FUZZ_SEED ?? 20_270_104)
/**
 * Maximum CPU time of a response, in microseconds. A response that needs more, or never arrives even on a busy machine,
 * counts as a hang.
 */
const LONGEST_ANSWER_US = 5_000_000
const LONGEST_WAIT_MS = 60_000
/** Texts that only the owner's operations may return. */
const SECRETS = /Confidential|Secret Lane/

const meridian = await startMeridian({
  // The attempts count towards the limit as long as there is at least one each minute.
  env: { DEFAULT_PLAN: 'enterprise' },
})
afterAll(() => meridian.stop())
const document = readOpenApiDocument(meridian.app)
const stranger = await makeOwner(meridian)
let each = await makeOneRecordOfEachKind(meridian)

test('whatever is sent to any operation, by whomever, the answer is one that it describes and comes in time', async () => {
  const ids = Object.fromEntries(Object.keys(each.ids).map((name) => [name, `@${name}@`]))
  const requests = fc.sample(arbitraryRequest(document, ids), { numRuns: REQUESTS, seed: SEED })
  const statuses: Record<number, number> = {}
  const mistakes = new Map<string, object>()
  for (const [i, request] of requests.entries()) {
    const { operationId, method } = request.operation
    const { status, mistake } = await send(request, each, i)
    statuses[status] = (statuses[status] ?? 0) + 1
    if (mistake !== null) mistakes.set(`${operationId}: ${mistake}`, { ...request, operation: method })
    // After the session has ended or a record was deleted, later requests need a new one.
    const isOver = status < 300 && (method === 'DELETE' || operationId === 'signOut')
    if (isOver) each = await makeOneRecordOfEachKind(meridian)
  }
  const errors = meridian.logLines.filter((line) => Number(JSON.parse(line).level) >= 50)
  const counts = {
    seed: SEED,
    requests: requests.length,
    operations: document.operations.length,
    mistakes: mistakes.size,
    ...Object.fromEntries(Object.entries(statuses).map(([status, count]) => [`answered_${status}`, count])),
  }
  process.stdout.write(`${JSON.stringify(counts)}\n`)
  // `npm run prove` sets this file for the counts.
  const path = process.env.PROOF_COUNTS
  if (path !== undefined) await writeFile(path, JSON.stringify(counts))
  expect([...mistakes]).toEqual([])
  expect(errors).toEqual([])
  // If all requests were refused, the test would prove nothing.
  expect(statuses[200] ?? 0).toBeGreaterThan(REQUESTS / 10)
}, 3_600_000)

async function send(
  { operation, caller, madeUpCookie, url, headers, body }: ArbitraryRequest,
  { owner, calendar, ids }: OneRecordOfEachKind,
  number: number,
) {
  const records: Record<string, string> = { ...ids, slug: calendar.slug }
  const named = (text: string) =>
    text.replace(/@(\w+)@/g, (whole, name) => {
      return records[name] ?? records[name.toLowerCase()]?.toUpperCase() ?? whole
    })
  const cookies: Record<RequestCaller, string | undefined> = {
    nobody: undefined,
    owner: owner.cookie,
    stranger: stranger.cookie,
    'made up': madeUpCookie,
  }
  const before = process.cpuUsage()
  const answer = await Promise.race([
    meridian.request({
      method: operation.method,
      url: named(url),
      headers,
      cookie: cookies[caller],
      // Each request comes from a different client, so that the operation responds and not a rate limit.
      remoteAddress: `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
      ...(body === null ? {} : { payload: named(body) }),
    }),
    setTimeout(LONGEST_WAIT_MS, null, { ref: false }),
  ])
  const { user, system } = process.cpuUsage(before)
  if (answer === null || user + system > LONGEST_ANSWER_US) return { status: 0, mistake: 'no answer in time' }
  const leaks = caller !== 'owner' && operation.security !== undefined && SECRETS.test(answer.body)
  return { status: answer.statusCode, mistake: leaks ? 'a secret' : findResponseMistake(operation, answer) }
}
