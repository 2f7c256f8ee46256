import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'

/** The owner's work before and after an appointment, in minutes. Customers never see it. Source: rule T46. */
export type OwnersWork = {
  readonly prepareMinutes: number
  readonly wrapUpMinutes: number
}

/** Maximum minutes of preparation, and of wrap-up, and their step. */
export const OWNERS_WORK_LIMITS = { minutes: 240, stepMinutes: 5 } as const

export const NO_OWNERS_WORK: OwnersWork = { prepareMinutes: 0, wrapUpMinutes: 0 }

/** Returns the time from the start of an appointment's preparation to the end of its wrap-up. Source: rule T46. */
export function toOccupiedTime(
  { startMs, endMs }: Interval,
  { prepareMinutes, wrapUpMinutes }: OwnersWork,
): Interval {
  return { startMs: startMs - prepareMinutes * MINUTE_MS, endMs: endMs + wrapUpMinutes * MINUTE_MS }
}

/** Widens a time by the buffer on both sides; anything that overlaps the result is a conflict. Source: rule T12. */
export function addBuffer({ startMs, endMs }: Interval, bufferMinutes: number): Interval {
  const bufferMs = bufferMinutes * MINUTE_MS
  return { startMs: startMs - bufferMs, endMs: endMs + bufferMs }
}
