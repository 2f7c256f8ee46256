import { useMatches } from '#web/ui/use-matches.ts'

// The queries are in rem, so that large text gets the layout of a narrow window.

/** True when the window has room for the sidebar: from 1,024 px at the default text size. Source: rule W22. */
export function useIsWide(): boolean {
  return useMatches('(min-width: 64rem)')
}

/** True when the window has room for the full sidebar beside a list and a form: from 1,280 px at the default text size. */
export function useIsExtraWide(): boolean {
  return useMatches('(min-width: 80rem)')
}
