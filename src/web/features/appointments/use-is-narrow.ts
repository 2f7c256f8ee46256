import { useSyncExternalStore } from 'react'

/** The width below which a screen counts as a phone. Source: rule W15. */
const NARROW = '(max-width: 767px)'

/** Whether the screen is too narrow for days side by side. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
