import { useMatches } from '#web/ui/use-matches.ts'

/** Matches screens up to the width that counts as a phone. Source: rule W15. */
const NARROW = '(max-width: 767px)'

/** Returns true on narrow screens; false during server rendering. */
export function useIsNarrowScreen(): boolean {
  return useMatches(NARROW)
}

/** True when the screen is narrow at the moment of the call. */
export function isNarrowScreen(): boolean {
  return matchMedia(NARROW).matches
}
