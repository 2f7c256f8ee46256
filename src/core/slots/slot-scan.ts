import type { OpeningInterval } from '#core/availability/opening-times.ts'
import { DAY_MS } from '#core/shared/duration.ts'
import { findOffsetPeriodIndex, offsetPeriodStartMs, type ZoneOffsets } from '#core/shared/zone-offsets.ts'
import type { BusyTimes } from './busy-times.ts'
import type { MutableOpenDay } from './open-day.ts'
import type { StartBounds } from './slot-rules.ts'

/** The parameters of a scan; they are the same for every opening. */
export type SlotScanPlan = StartBounds & {
  readonly zone: ZoneOffsets
  readonly stepMs: number
  readonly durationMs: number
  readonly busy: BusyTimes
  /** Day number of the first of `days`. */
  readonly firstDay: number
  /** The requested dates in order; the scan adds slots to them. */
  readonly days: readonly MutableOpenDay[]
}

/** The progress of a scan over the openings. */
type SlotScan = SlotScanPlan & {
  /** Number of busy times that begin before the end of the current slot. */
  begun: number
  /** Number of busy times that end by the start of the current slot. */
  ended: number
  today: LocalDay
}

/** The part of a local date with a constant UTC offset, and the list that collects its slots. */
type LocalDay = {
  readonly fromMs: number
  readonly untilMs: number
  /** Index into the zone's offset periods. */
  readonly period: number
  readonly slotsMs: number[]
}

const NO_DAY: LocalDay = { fromMs: Infinity, untilMs: -Infinity, period: 0, slotsMs: [] }

/** Returns a scan before its first opening. */
export function startSlotScan(plan: SlotScanPlan): SlotScan {
  return { ...plan, begun: 0, ended: 0, today: NO_DAY }
}

/** Adds the free starts of one opening to their dates. Call it for the openings in order of start. */
export function addFreeStarts(scan: SlotScan, { startMs, endMs, gridMs, open }: OpeningInterval): void {
  const { stepMs, durationMs, afterMs } = scan
  const { startsMs, endsMs } = scan.busy
  const missed = Math.ceil((Math.max(startMs, afterMs + 1) - gridMs) / stepMs)
  const firstMs = gridMs + missed * stepMs
  const lastMs = Math.min(endMs - 1, open.untilMs - durationMs, scan.latestMs)
  rewind(scan, firstMs)
  let { begun, ended, today } = scan
  for (let slotMs = firstMs; slotMs <= lastMs; slotMs += stepMs) {
    const slotEndMs = slotMs + durationMs
    // Both lists end with Infinity, so the index stays in bounds.
    while ((startsMs[begun] as number) < slotEndMs) begun++
    while ((endsMs[ended] as number) <= slotMs) ended++
    if (begun !== ended) continue
    if (slotMs < today.fromMs || slotMs >= today.untilMs) today = localDayAt(scan, slotMs, today.period)
    if (open.hasOverlap) insertOnce(today.slotsMs, slotMs)
    else today.slotsMs.push(slotMs)
  }
  scan.begun = begun
  scan.ended = ended
  scan.today = today
}

/** Adds starts that are free, but not on the grid, where they lie whole in one of the openings. Both are in order of start. */
export function addOffGridStarts(
  scan: SlotScan,
  freeMs: readonly number[],
  openings: readonly OpeningInterval[],
): void {
  const { durationMs, afterMs, latestMs } = scan
  let next = 0
  let opening: OpeningInterval | undefined
  let today = NO_DAY
  for (const slotMs of freeMs) {
    while ((openings[next]?.startMs ?? Infinity) <= slotMs) opening = openings[next++]
    const isOpen = opening !== undefined && slotMs + durationMs <= opening.open.untilMs
    if (!isOpen || slotMs <= afterMs || slotMs > latestMs) continue
    if (slotMs < today.fromMs || slotMs >= today.untilMs) today = localDayAt(scan, slotMs, today.period)
    insertOnce(today.slotsMs, slotMs)
  }
}

/** Openings can overlap after a gap in the clock; the scan then steps back. */
function rewind(scan: SlotScan, slotMs: number): void {
  const { startsMs, endsMs } = scan.busy
  const slotEndMs = slotMs + scan.durationMs
  // `begun` and `ended` count entries of these lists, so the previous index is in bounds.
  while (scan.begun > 0 && (startsMs[scan.begun - 1] as number) >= slotEndMs) scan.begun--
  while (scan.ended > 0 && (endsMs[scan.ended - 1] as number) > slotMs) scan.ended--
}

/** Returns the local date of an instant. A date has two parts where the clocks go back over midnight. */
function localDayAt({ zone, firstDay, days }: SlotScanPlan, epochMs: number, nearPeriod: number): LocalDay {
  const period = findOffsetPeriodIndex(zone, epochMs, nearPeriod)
  const offsetMs = zone.offsetMs[period] ?? 0
  const day = Math.floor((epochMs + offsetMs) / DAY_MS)
  return {
    fromMs: Math.max(day * DAY_MS - offsetMs, offsetPeriodStartMs(zone, period)),
    untilMs: Math.min((day + 1) * DAY_MS - offsetMs, zone.untilMs[period] ?? Infinity),
    period,
    // Slots of dates that were not requested go into a list that is discarded.
    slotsMs: days[day - firstDay]?.startsMs ?? [],
  }
}

/**
 * Inserts a slot in order, once: overlapping openings can yield a start that is out of order or already present.
 * Source: rule T6.
 */
function insertOnce(slotsMs: number[], slotMs: number): void {
  let place = slotsMs.length
  while (place > 0 && (slotsMs[place - 1] as number) > slotMs) place--
  if (slotsMs[place - 1] === slotMs) return
  // Faster than `splice`, which also makes a list of the removed elements.
  slotsMs.push(slotMs)
  for (let i = slotsMs.length - 1; i > place; i--) slotsMs[i] = slotsMs[i - 1] as number
  slotsMs[place] = slotMs
}
