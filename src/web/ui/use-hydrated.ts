import { useDeferredValue, useSyncExternalStore } from 'react'

/**
 * False on the server and during hydration, true afterwards. Use it for anything that only the browser knows: the time, the
 * time zone, the language. The update to true is deferred, so that taps are handled in between.
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
