import { useSyncExternalStore } from 'react'

/** The width below which a screen counts as a phone. Source: rule W15. */
const NARROW = '(max-width: 767px)'

/** Whether the screen is too narrow for things side by side. A page that the server draws is not, until the browser says so. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, isNarrow, () => false)
}

/** Whether the page is that narrow at this moment. */
export function isNarrow(): boolean {
  return matchMedia(NARROW).matches
}

function subscribe(onChange: () => void): () => void {
  const query = matchMedia(NARROW)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}
