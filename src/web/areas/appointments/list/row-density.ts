import { useSyncExternalStore } from 'react'

/** `compact`: rows with the essentials. `comfortable`: everything in the row. */
export type RowDensity = 'compact' | 'comfortable'

/** The localStorage key of the choice. */
const DENSITY_KEY = 'appointment-rows'
const listeners = new Set<() => void>()
/** The choice for this page if storage is blocked. */
let unstored: RowDensity = 'compact'

/** Returns how the browser's user wants the rows of appointments, also as chosen in another tab. */
export function useRowDensity(): RowDensity {
  return useSyncExternalStore(subscribe, readDensity, () => 'compact')
}

/** Remembers the choice in this browser. */
export function setRowDensity(density: RowDensity): void {
  unstored = density
  try {
    localStorage.setItem(DENSITY_KEY, density)
  } catch {
    // Storage is blocked, so the choice applies to this page only.
  }
  for (const listener of listeners) listener()
}

function readDensity(): RowDensity {
  try {
    return localStorage.getItem(DENSITY_KEY) === 'comfortable' ? 'comfortable' : 'compact'
  } catch {
    return unstored
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
