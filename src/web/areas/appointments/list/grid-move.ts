import type { AgendaDay } from '#contract/appointments/appointments.ts'
import { type FromNoon, fromNoon, type GridWindow } from './agenda-layout.ts'

/** Where an appointment would be put down: a day of the grid and a place on it. */
export type GridPlace = { readonly dayIndex: number; readonly from: FromNoon }

type Grid = {
  readonly days: readonly AgendaDay[]
  readonly shown: GridWindow
  /** Minutes between two starts that customers are offered. */
  readonly slotMinutes: number
}

/**
 * The nearest place on the slot grid, inside the hours that are shown and inside the day in its real length. The grid of a day
 * begins at its openings, as it does for customers, and elsewhere at noon.
 */
export function snapPlace(
  { days, shown, slotMinutes }: Grid,
  { dayIndex, from }: GridPlace,
  lengthMinutes: number,
): GridPlace {
  const index = Math.min(days.length - 1, Math.max(0, dayIndex))
  const day = days[index]
  if (day === undefined) return { dayIndex: 0, from }
  const anchor = anchorOf(day, from)
  const snapped = anchor + Math.round((from - anchor) / slotMinutes) * slotMinutes
  const first = Math.max(shown.from, fromNoon(day, Date.parse(day.starts_at)))
  const last = Math.min(shown.until, fromNoon(day, Date.parse(day.ends_at))) - lengthMinutes
  return { dayIndex: index, from: Math.max(first, Math.min(last, snapped)) }
}

/** Where the grid of the opening begins that this time belongs to. */
function anchorOf(day: AgendaDay, from: FromNoon): FromNoon {
  const begun = day.openings
    .map((opening) => fromNoon(day, Date.parse(opening.starts_at)))
    .filter((start) => start <= from)
  return begun.length === 0 ? 0 : Math.max(...begun)
}

/** The instant of a place. Minutes from noon are elapsed minutes, so that it is right on a day whose clocks change. */
export function startOf(days: readonly AgendaDay[], { dayIndex, from }: GridPlace): string {
  const day = days[dayIndex]
  if (day === undefined) throw new Error('a place is on a day of the grid')
  return new Date(Date.parse(day.noon_at) + from * 60_000).toISOString()
}

/** Where a key leads; null for keys that do not move. Source: rule A20. */
export function placeAfterKey(
  grid: Grid,
  place: GridPlace,
  { key, lengthMinutes, isRightToLeft }: { key: string; lengthMinutes: number; isRightToLeft: boolean },
): GridPlace | null {
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
  return snapPlace(grid, { dayIndex: place.dayIndex + step.days, from }, lengthMinutes)
}
