import type { SlotsResponse } from '#contract/slots/slots.ts'
import { type Interval, overlaps } from '#core/shared/interval.ts'

export type OfferedTimesWatch = {
  /** Returns the number of offered times. A time counts again each time it is offered. */
  readonly offeredCount: () => number
  /** Offered times that overlap a busy time. */
  readonly wrongOffers: readonly string[]
  readonly over: () => Promise<void>
}

/** Pause between two requests, in milliseconds. */
const PAUSE_MS = 50

/** Requests the available times of these days again and again, day by day and calendar by calendar, until `over` is called. */
export function watchOfferedTimes(
  baseUrl: string,
  slugs: readonly string[],
  { dates, busy }: { readonly dates: readonly string[]; readonly busy: readonly Interval[] },
): OfferedTimesWatch {
  const wrongOffers: string[] = []
  let offered = 0
  let open = true
  const watching = (async () => {
    for (let i = 0; open; i += 1) {
      const slug = slugs[i % slugs.length] ?? ''
      const date = dates[Math.floor(i / slugs.length) % dates.length] ?? ''
      const slots = await listOfferedTimes(baseUrl, slug, date)
      offered += slots.length
      const wrong = slots.filter((slot) => busy.some((time) => overlaps(slot, time)))
      wrongOffers.push(...wrong.map(({ startMs }) => `${slug} ${new Date(startMs).toISOString()}`))
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
    }
  })()
  return {
    offeredCount: () => offered,
    wrongOffers,
    async over() {
      open = false
      await watching
    },
  }
}

/** Returns the times that customers are offered on a day, in the calendar's time zone. */
export async function listOfferedTimes(baseUrl: string, slug: string, date: string): Promise<Interval[]> {
  const answer = await fetch(`${baseUrl}/api/public/calendars/${slug}/slots?date=${date}`)
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  const { slots } = (await answer.json()) as SlotsResponse // the contract's type for this URL
  return slots.map(({ starts_at, ends_at }) => ({
    startMs: Date.parse(starts_at),
    endMs: Date.parse(ends_at),
  }))
}
