import { DAY_MS } from '#core/shared/duration.ts'
import type { RecordVerdict } from './domain-records.ts'

/** A domain that has not pointed here for so long is no longer served. Source: rule I10. */
export const FAILING_AFTER_DAYS = 7
/** A failing domain is kept for so long. Source: rule I10. */
export const KEPT_DAYS = 30

/** A domain that its calendar has proven: its address, or one from before. */
export type ProvenState = 'live' | 'failing' | 'retired'

export type DomainStatus = {
  readonly state: ProvenState | 'released'
  /** Null while it points here. */
  readonly failingSinceMs: number | null
  /** What the owner is to be told. */
  readonly tell: 'points_elsewhere' | 'failing' | 'released' | null
}

/**
 * Decides what a check of a proven domain means for it. Only what DNS servers agree on counts, so an outage of theirs takes nothing
 * from anybody. Source: rules I10 and I13.
 */
export function decideDomainStatus(
  before: { readonly state: ProvenState; readonly failingSinceMs: number | null },
  pointing: RecordVerdict,
  nowMs: number,
): DomainStatus {
  const { state, failingSinceMs } = before
  if (pointing === 'unknown' || pointing === 'spreading') return { state, failingSinceMs, tell: null }
  if (pointing === 'correct') {
    return { state: state === 'failing' ? 'live' : state, failingSinceMs: null, tell: null }
  }
  // An earlier address is missed by nobody, so nobody is told.
  const toTell = (occasion: DomainStatus['tell']) => (state === 'retired' ? null : occasion)
  if (failingSinceMs === null) return { state, failingSinceMs: nowMs, tell: toTell('points_elsewhere') }
  if (nowMs >= toReleaseMs(failingSinceMs)) {
    return { state: 'released', failingSinceMs, tell: toTell('released') }
  }
  if (state === 'live' && nowMs >= failingSinceMs + FAILING_AFTER_DAYS * DAY_MS) {
    return { state: 'failing', failingSinceMs, tell: 'failing' }
  }
  return { state, failingSinceMs, tell: null }
}

/** When a domain is given up that has not pointed here since `failingSinceMs`. */
export function toReleaseMs(failingSinceMs: number): number {
  return failingSinceMs + (FAILING_AFTER_DAYS + KEPT_DAYS) * DAY_MS
}
