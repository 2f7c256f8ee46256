import { randomUUID } from 'node:crypto'
import { nthFreeTime } from '#tests/support/free-time.ts'

/** A booking that was confirmed with a 201. */
export type AcknowledgedBooking = {
  readonly id: string
  readonly email: string
  /** The moment of the first request, by `performance.now()`. */
  readonly askedMs: number
  /** Milliseconds from the first request to the final response. */
  readonly waitedMs: number
}

export type BookingLoad = {
  readonly booked: readonly AcknowledgedBooking[]
  /** The times that were refused as taken, as instants, once for each customer who was refused. */
  readonly refusedTimes: readonly string[]
  /** Number of times a request was retried after a temporary failure or no response. */
  readonly retryCount: () => number
  /** Responses that no customer should get, with their status. */
  readonly oddAnswers: readonly string[]
  /** The longest time without a single final response, between two moments of `performance.now()`. */
  readonly longestGapMs: (fromMs: number, untilMs: number) => number
  /** The longest wait of a customer, from the first request to the final response. */
  readonly longestWaitMs: () => number
  /** The number of customers so far, including those of earlier loads. */
  readonly customerCount: () => number
  /** Starts no new customer, and waits until each has a final response. */
  readonly over: () => Promise<void>
}

/**
 * Statuses after which a good client repeats the request with the same key: a proxy's error, or a server that asks to try again
 * later.
 */
const WORTH_ANOTHER_TRY = new Set([429, 502, 503, 504])
const TRY_TIMEOUT_MS = 4_000
const MANY_CLIENTS = 12
/** Pause between two requests of a client, in milliseconds. It leaves the machine room to restart processes. */
const PAUSE_MS = 150
/** Pause before a repeated request, in milliseconds. Short, to cover the first two seconds of a fault closely. */
const RETRY_PAUSE_MS = 200

/**
 * Starts customers who book on these calendars, two for each time, until `over` is called. Each repeats the request until it gets
 * a final response.
 */
export function startBookingLoad(
  baseUrl: string,
  slugs: readonly string[],
  {
    clients: clientCount = MANY_CLIENTS,
    firstCustomer = 0,
  }: {
    readonly clients?: number
    /** The customer count of an earlier load on these calendars, so that this load continues with other times. */
    readonly firstCustomer?: number
  } = {},
): BookingLoad {
  const booked: AcknowledgedBooking[] = []
  const refusedTimes: string[] = []
  const oddAnswers: string[] = []
  const settledMs: number[] = []
  const counts = { retries: 0, longestWaitMs: 0 }
  let customers = firstCustomer
  let open = true

  async function bookOne(number: number): Promise<void> {
    const time = Math.floor(number / 2)
    const slug = slugs[time % slugs.length]
    const email = `guest-${number}@example.com`
    const startsAt = nthFreeTime(Math.floor(time / slugs.length))
    const body = JSON.stringify({
      starts_at: startsAt,
      customer: { name: `Guest ${number}`, email },
    })
    const askedMs = performance.now()
    const answer = await askUntilSettled(`${baseUrl}/api/public/calendars/${slug}/appointments`, body, () => {
      counts.retries += 1
    })
    const waitedMs = performance.now() - askedMs
    settledMs.push(askedMs + waitedMs)
    counts.longestWaitMs = Math.max(counts.longestWaitMs, waitedMs)
    if (answer.status === 201) booked.push({ id: JSON.parse(answer.text).id, email, askedMs, waitedMs })
    else if (answer.status === 409) refusedTimes.push(startsAt)
    else oddAnswers.push(`${answer.status} ${answer.text.slice(0, 300)}`)
  }

  const clients = Array.from({ length: clientCount }, async () => {
    while (open) {
      await bookOne(customers++)
      await pause(PAUSE_MS)
    }
  })
  return {
    booked,
    oddAnswers,
    refusedTimes,
    customerCount: () => customers,
    retryCount: () => counts.retries,
    longestWaitMs: () => Math.round(counts.longestWaitMs),
    longestGapMs(fromMs, untilMs) {
      const moments = [fromMs, ...settledMs.filter((ms) => ms > fromMs && ms < untilMs), untilMs]
      return Math.round(Math.max(...moments.slice(1).map((ms, i) => ms - (moments[i] ?? ms))))
    },
    async over() {
      open = false
      await Promise.all(clients)
    },
  }
}

async function askUntilSettled(
  url: string,
  body: string,
  onRetry: () => void,
): Promise<{ status: number; text: string }> {
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  for (;;) {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers,
        body,
        signal: AbortSignal.timeout(TRY_TIMEOUT_MS),
      })
      const text = await answer.text()
      if (!WORTH_ANOTHER_TRY.has(answer.status)) return { status: answer.status, text }
    } catch {
      // No response: the booking may have been stored, but the key makes it safe to repeat the request.
    }
    onRetry()
    await pause(RETRY_PAUSE_MS)
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
