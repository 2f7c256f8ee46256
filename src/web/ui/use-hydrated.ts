import { useDeferredValue, useSyncExternalStore } from 'react'

/**
 * False while the server draws the page and until the browser has taken its HTML over; true from the start where the
 * browser draws. For what only the visitor's browser knows: the time, its zone, its language. What follows from it is
 * drawn in small steps, between which a tap is answered.
 */
export function useHydrated(): boolean {
  const hydrated = useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  )
  return useDeferredValue(hydrated)
}

function subscribeToNothing(): () => void {
  return () => {}
}
