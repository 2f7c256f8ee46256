import { useDeferredValue, useSyncExternalStore } from 'react'

/**
 * Returns false on the server and during hydration, and true afterwards. Use it for values that only the browser knows: the time,
 * the time zone, the language. React defers the update to true, so that it can handle taps in between.
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
