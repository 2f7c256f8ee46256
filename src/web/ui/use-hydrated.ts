import { useSyncExternalStore } from 'react'

/**
 * False while the server draws the page and until the browser has taken its HTML over; true from the start where the
 * browser draws. For what only the visitor's browser knows: the time, its zone, its language.
 */
export function useHydrated(): boolean {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
}

function subscribeToNothing(): () => void {
  return () => {}
}
