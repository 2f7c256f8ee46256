import type { AddRequestCounts } from './request-count.ts'

type Request = { readonly key: string; readonly windowStartMs: number }

type Waiting = Request & {
  readonly resolve: (place: number) => void
  readonly reject: (error: unknown) => void
}

/**
 * Batches requests into one statement at a time: requests that arrive while a statement runs are counted together by
 * the next one, so they do not wait for each other's row lock.
 * @returns the request's own number in its window, starting at 1
 */
export function batchRequestCounts(add: AddRequestCounts): (request: Request) => Promise<number> {
  let waiting: Waiting[] = []
  let isUnderWay = false

  const sendWaiting = async () => {
    isUnderWay = true
    while (waiting.length > 0) {
      const { together, later } = takeTogether(waiting)
      waiting = later
      await sendTogether(add, together)
    }
    isUnderWay = false
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...request, resolve, reject })
      if (!isUnderWay) void sendWaiting()
    })
}

type Together = [first: Waiting, ...others: Waiting[]]

/** A statement counts each key once; further windows of the same key go into the next batch. */
function takeTogether(waiting: readonly Waiting[]): { together: Together[]; later: Waiting[] } {
  const together = new Map<string, Together>()
  const later: Waiting[] = []
  for (const one of waiting) {
    const before = together.get(one.key)
    if (before === undefined) together.set(one.key, [one])
    else if (before[0].windowStartMs === one.windowStartMs) before.push(one)
    else later.push(one)
  }
  return { together: [...together.values()], later }
}

async function sendTogether(add: AddRequestCounts, sent: readonly Together[]): Promise<void> {
  try {
    const totals = await add(
      sent.map(([{ key, windowStartMs }, ...others]) => ({ key, windowStartMs, count: 1 + others.length })),
    )
    for (const ofKey of sent) {
      const total = totals.get(ofKey[0].key) ?? ofKey.length
      for (const [i, one] of ofKey.entries()) one.resolve(total - ofKey.length + 1 + i)
    }
  } catch (error) {
    for (const one of sent.flat()) one.reject(error)
  }
}
