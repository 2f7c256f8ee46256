import { DAY_MS } from '#core/shared/duration.ts'
import type { RecordVerdict } from './domain-records.ts'

/** After this many days of pointing elsewhere, a domain is no longer served. Source: rule I10. */
export const FAILING_AFTER_DAYS = 7
/** A failing domain is kept for this many more days before it is released. Source: rule I10. */
export const FAILING_KEPT_DAYS = 30

/** State of a verified domain: the calendar's current address, or an earlier one (`retired`). */
export type VerifiedDomainState = 'live' | 'failing' | 'retired'

export type DomainStatus = {
  readonly state: VerifiedDomainState | 'released'
  /** Null while the domain points here. */
  readonly failingSinceMs: number | null
  /** The notification that the owner must get, if any. */
  readonly tell: 'points_elsewhere' | 'failing' | 'released' | null
}

/**
 * Decides what a DNS check means for a verified domain. Only answers on which the DNS servers agree count, so a DNS
 * outage never takes a domain away. Source: rules I10 and I13.
 */
export function decideDomainStatus(
  before: { readonly state: VerifiedDomainState; readonly failingSinceMs: number | null },
  pointing: RecordVerdict,
  nowMs: number,
): DomainStatus {
  const { state, failingSinceMs } = before
  if (pointing === 'unknown' || pointing === 'spreading') return { state, failingSinceMs, tell: null }
  if (pointing === 'correct') {
    return { state: state === 'failing' ? 'live' : state, failingSinceMs: null, tell: null }
  }
  // Nobody misses an earlier address, so the owner is not notified.
  const toTell = (occasion: DomainStatus['tell']) => (state === 'retired' ? null : occasion)
  if (failingSinceMs === null) return { state, failingSinceMs: nowMs, tell: toTell('points_elsewhere') }
  if (nowMs >= toDomainReleaseMs(failingSinceMs)) {
    return { state: 'released', failingSinceMs, tell: toTell('released') }
  }
  if (state === 'live' && nowMs >= failingSinceMs + FAILING_AFTER_DAYS * DAY_MS) {
    return { state: 'failing', failingSinceMs, tell: 'failing' }
  }
  return { state, failingSinceMs, tell: null }
}

/** Returns when a domain that has been failing since `failingSinceMs` is released. */
export function toDomainReleaseMs(failingSinceMs: number): number {
  return failingSinceMs + (FAILING_AFTER_DAYS + FAILING_KEPT_DAYS) * DAY_MS
}
