import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { switchPagesOnNavigation } from './follow-navigation.ts'
import type { PageToShow } from './shown-page.ts'

/**
 * Returns the page that this document shows now: at first the one it was loaded with, and later the page to which the user has
 * navigated.
 */
export function useCurrentPage(first: PageToShow): { shown: PageToShow; isFirst: boolean } {
  const [loaded] = useState(first)
  const [shown, setShown] = useState(loaded)
  useEffect(() => switchPagesOnNavigation(loaded, (page) => flushSync(() => setShown(page))), [loaded])
  return { shown, isFirst: shown === loaded }
}
