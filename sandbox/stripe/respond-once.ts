import { createHash } from 'node:crypto'
import { z } from 'zod'
import { addSandboxObject, findSandboxObject, saveSandboxObject } from '#sandbox/kit/sandbox-objects.ts'
import type { Trx } from '#server/platform/db/transaction.ts'
import { StripeErrorResponse } from './fault.ts'
import { type PendingEvent, runAndSendEvents, type StripeSandboxContext } from './world.ts'

const ANSWERS = {
  provider: 'stripe',
  kind: 'answer',
  schema: z.object({ fingerprint: z.string(), status: z.int(), body: z.json() }),
} as const

export type IdempotentResponse = {
  readonly status: number
  readonly body: object
  readonly isReplayed: boolean
}

type Asked = {
  /** Idempotency keys are separate for each account. */
  readonly accountId: string
  readonly key: string | undefined
  readonly url: string
  readonly body: unknown
}

type Work = (trx: Trx) => Promise<{ readonly body: object; readonly events: readonly PendingEvent[] }>

/**
 * Runs a request once per Idempotency-Key, and returns the same response to later requests with this key, including errors. A
 * concurrent request with the same key waits for the first. Source: https://docs.stripe.com/api/idempotent_requests
 */
export async function respondIdempotently(
  world: StripeSandboxContext,
  asked: Asked,
  work: Work,
): Promise<IdempotentResponse> {
  const { answer } = await runAndSendEvents(world, async (trx) => {
    if (asked.key === undefined) return runRequest(trx, work)
    const id = `${asked.accountId}/${asked.key}`
    const fingerprint = createHash('sha256')
      .update(JSON.stringify([asked.url, asked.body]))
      .digest('hex')
    if (!(await addSandboxObject(trx, ANSWERS, id, { fingerprint, status: 0, body: null }))) {
      return { answer: await findResponse(trx, id, fingerprint), events: [] }
    }
    const answered = await runRequest(trx, work)
    const { status, body } = answered.answer
    // Resources and error bodies are plain JSON, so this only drops their types.
    const kept = { fingerprint, status, body: JSON.parse(JSON.stringify(body)) }
    await saveSandboxObject(trx, ANSWERS, id, kept)
    return answered
  })
  return answer
}

async function runRequest(
  trx: Trx,
  work: Work,
): Promise<{ answer: IdempotentResponse; events: readonly PendingEvent[] }> {
  try {
    const { body, events } = await work(trx)
    return { answer: { status: 200, body, isReplayed: false }, events }
  } catch (error) {
    if (!(error instanceof StripeErrorResponse)) throw error
    return { answer: { status: error.status, body: error.body, isReplayed: false }, events: [] }
  }
}

async function findResponse(trx: Trx, id: string, fingerprint: string): Promise<IdempotentResponse> {
  const kept = await findSandboxObject(trx, ANSWERS, id)
  if (
    kept === null ||
    typeof kept.body !== 'object' ||
    kept.body === null ||
    kept.fingerprint !== fingerprint
  ) {
    const message =
      'Keys for idempotent requests can only be used with the same parameters they were first used with.'
    const { status, body } = new StripeErrorResponse(400, { type: 'idempotency_error', message })
    return { status, body, isReplayed: false }
  }
  return { status: kept.status, body: kept.body, isReplayed: true }
}
