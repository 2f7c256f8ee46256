import { randomUUID } from 'node:crypto'
import { freeTime } from '#tests/support/free-time.ts'

/** A booking that was acknowledged with a 201. */
export type Acknowledged = {
  readonly id: string
  readonly email: string
  /** When it was sent first, by `performance.now()`. */
  readonly askedMs: number
  /** From then to the answer. */
  readonly waitedMs: number
}

export type BookingLoad = {
  readonly booked: readonly Acknowledged[]
  /** The times that customers were told are taken, as instants: one for each who was told so. */
  readonly refusedTimes: readonly string[]
  /** How often a request was sent again, because there was no answer to it or none that settled it. */
  readonly retryCount: () => number
  /** Answers that no customer should get, with their status. */
  readonly oddAnswers: readonly string[]
  /** The longest time without a single answer that settled something, between two moments of `performance.now()`. */
  readonly longestGapMs: (fromMs: number, untilMs: number) => number
  /** The longest that a customer waited, from the first try to the answer that settled it. */
  readonly longestWaitMs: () => number
  /** How many customers there were, those of the loads before included. */
  readonly customerCount: () => number
  /** Takes no new customer and waits until each has an answer. */
  readonly over: () => Promise<void>
}

/** What a good client sends again with the same key: no answer, a proxy's complaint, or a product that says "later". */
const WORTH_ANOTHER_TRY = new Set([429, 502, 503, 504])
const TRY_TIMEOUT_MS = 4_000
const MANY_CLIENTS = 12
/** Between two requests of a client: a load that leaves the machine room to start processes again. */
const PAUSE_MS = 150
/** The first two seconds of trouble are tried through quickly. */
const RETRY_PAUSE_MS = 200

/** Customers who book on these calendars, two for each time, until it is over; each tries until there is an answer. */
export function startBookingLoad(
  baseUrl: string,
  slugs: readonly string[],
  {
    clients: clientCount = MANY_CLIENTS,
    firstCustomer = 0,
  }: {
    readonly clients?: number
    /** Of an earlier load on these calendars: how many customers there were, so that this one goes on with other times. */
    readonly firstCustomer?: number
  } = {},
): BookingLoad {
  const booked: Acknowledged[] = []
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
    const startsAt = freeTime(Math.floor(time / slugs.length))
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
      // Nobody answered: whether it was booked is not known, and the key makes asking again safe.
    }
    onRetry()
    await pause(RETRY_PAUSE_MS)
  }
}

function pause(durationMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, durationMs))
}
