import { MINUTE_MS } from '#core/shared/duration.ts'
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

/** Lists the starts right after busy times, and those that end right before one, unordered. Source: rule T64. */
export function listPackedStarts({ startsMs, endsMs }: BusyTimes, durationMs: number): number[] {
  return [
    ...endsMs.map((endMs) => Math.ceil(endMs / PACKED_STEP_MS) * PACKED_STEP_MS),
    ...startsMs.map((startMs) => Math.floor((startMs - durationMs) / PACKED_STEP_MS) * PACKED_STEP_MS),
  ].filter(Number.isFinite)
}
