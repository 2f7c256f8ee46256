import { MINUTE_MS } from '#core/shared/duration.ts'
import type { Interval } from '#core/shared/interval.ts'
import type { BusyTimes } from './busy-times.ts'

/** When appointments of a type start. Source: rules T63 and T64. */
export type StartPattern = {
  /** Minutes between two starts on the grid: null for the slot length, `OWN_LENGTH` for the length of the appointment. */
  readonly stepMinutes?: number | null
  /** True when appointments may also start right after a busy time, and end right before one. */
  readonly isPacked?: boolean
}

/** The step of a type that starts as often as its own length. */
export const OWN_LENGTH = 0

export const START_STEP_LIMITS = { minMinutes: 5, maxMinutes: 240, stepMinutes: 5 } as const

/** Packed starts are multiples of this time. */
export const PACKED_STEP_MS = START_STEP_LIMITS.stepMinutes * MINUTE_MS

/** Returns the time between two starts on the grid. Source: rule T63. */
export function getStepMs({
  stepMinutes,
  durationMinutes,
  rules,
}: StartPattern & {
  readonly durationMinutes: number
  readonly rules: { readonly slotMinutes: number }
}): number {
  return (stepMinutes === OWN_LENGTH ? durationMinutes : (stepMinutes ?? rules.slotMinutes)) * MINUTE_MS
}

/**
 * Lists the starts right after busy times, and those that end right before one, in order; only those that are free. Time is free
 * where as many busy times have ended as have begun. Source: rule T64.
 */
export function listPackedStarts({ startsMs, endsMs }: BusyTimes, durationMs: number): number[] {
  const packed: number[] = []
  for (let ended = 0; ended === 0 || endsMs[ended - 1] !== Infinity; ended++) {
    const freeFromMs = ended === 0 ? -Infinity : (endsMs[ended - 1] as number)
    const freeUntilMs = startsMs[ended] as number
    if (freeUntilMs - freeFromMs < durationMs) continue
    const firstMs = toNextStart(freeFromMs)
    const lastMs = toLastStart(freeUntilMs, durationMs)
    if (firstMs > lastMs) continue
    if (firstMs !== -Infinity) packed.push(firstMs)
    if (lastMs !== Infinity && lastMs !== firstMs) packed.push(lastMs)
  }
  return packed
}

/** True when a time starts right after a busy time, or ends right before one. Source: rule T64. */
export function isPackedStart({ startsMs, endsMs }: BusyTimes, { startMs, endMs }: Interval): boolean {
  return (
    endsMs.some((busyEndMs) => toNextStart(busyEndMs) === startMs) ||
    startsMs.some((busyStartMs) => toLastStart(busyStartMs, endMs - startMs) === startMs)
  )
}

function toNextStart(fromMs: number): number {
  return Math.ceil(fromMs / PACKED_STEP_MS) * PACKED_STEP_MS
}

function toLastStart(untilMs: number, durationMs: number): number {
  return Math.floor((untilMs - durationMs) / PACKED_STEP_MS) * PACKED_STEP_MS
}
