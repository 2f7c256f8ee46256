import { useSyncExternalStore } from 'react'

/** Screens of up to this width count as phones. Source: rule W15. */
const NARROW = '(max-width: 767px)'

/** True on narrow screens; false during server rendering. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow, () => false)
}

/** True if the screen is narrow right now. */
export function isNarrow(): boolean {
  return matchMedia(NARROW).matches
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
