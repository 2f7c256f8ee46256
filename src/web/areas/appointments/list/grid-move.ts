import type { AgendaDay } from '#contract/appointments/appointments.ts'
import { type MinutesFromNoon, minutesFromNoon, type ShownHours } from './agenda-layout.ts'

/** A position in the grid where an appointment can be dropped: a day and a time. */
export type GridPosition = { readonly dayIndex: number; readonly from: MinutesFromNoon }

type Grid = {
  readonly days: readonly AgendaDay[]
  readonly shown: ShownHours
  /** Minutes between consecutive start times that customers are offered. */
  readonly slotMinutes: number
}

/**
 * Finds the nearest position on the slot grid, within the shown hours and within the day (which may have 23 or 25 hours).
 * With `Math.floor` for `round`, finds the last position at or before the given one instead.
 * The slot grid starts anew at each opening, as for customers. Before the first opening it is aligned to noon.
 */
export function snapToGrid(
  { days, shown, slotMinutes }: Grid,
  { dayIndex, from }: GridPosition,
  lengthMinutes: number,
  round: (steps: number) => number = Math.round,
): GridPosition {
  const index = Math.min(days.length - 1, Math.max(0, dayIndex))
  const day = days[index]
  if (day === undefined) return { dayIndex: 0, from }
  const anchor = anchorOf(day, from)
  const snapped = anchor + round((from - anchor) / slotMinutes) * slotMinutes
  const first = Math.max(shown.from, minutesFromNoon(day, Date.parse(day.starts_at)))
  const last = Math.min(shown.until, minutesFromNoon(day, Date.parse(day.ends_at))) - lengthMinutes
  return { dayIndex: index, from: Math.max(first, Math.min(last, snapped)) }
}

/** Returns the start of the slot grid to which a time belongs: the latest opening before it, or noon. */
function anchorOf(day: AgendaDay, from: MinutesFromNoon): MinutesFromNoon {
  const begun = day.openings
    .map((opening) => minutesFromNoon(day, Date.parse(opening.starts_at)))
    .filter((start) => start <= from)
  return begun.length === 0 ? 0 : Math.max(...begun)
}

/** Converts a position to an instant. Minutes from noon are elapsed minutes, so clock changes need no special handling. */
export function instantAtPosition(days: readonly AgendaDay[], { dayIndex, from }: GridPosition): string {
  const day = days[dayIndex]
  if (day === undefined) throw new Error('a place is on a day of the grid')
  return new Date(Date.parse(day.noon_at) + from * 60_000).toISOString()
}

/** Returns the position to which an arrow key moves the appointment; null for other keys. Source: rule A20. */
export function positionAfterArrowKey(
  grid: Grid,
  place: GridPosition,
  { key, lengthMinutes, isRightToLeft }: { key: string; lengthMinutes: number; isRightToLeft: boolean },
): GridPosition | null {
  const forward = isRightToLeft ? -1 : 1
  const steps: Readonly<Record<string, { days: number; slots: number }>> = {
    ArrowUp: { days: 0, slots: -1 },
    ArrowDown: { days: 0, slots: 1 },
    ArrowLeft: { days: -forward, slots: 0 },
    ArrowRight: { days: forward, slots: 0 },
  }
  const step = steps[key]
  if (step === undefined) return null
  const from = place.from + step.slots * grid.slotMinutes
  return snapToGrid(grid, { dayIndex: place.dayIndex + step.days, from }, lengthMinutes)
}
