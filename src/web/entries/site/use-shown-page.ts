import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { followNavigation } from './follow-navigation.ts'
import type { ShownPage } from './shown-page.ts'

/**
 * Returns the page that this document shows now: at first the one it was loaded with, and later the page to which the user has
 * navigated.
 */
export function useShownPage(first: ShownPage): { shown: ShownPage; isFirst: boolean } {
  const [loaded] = useState(first)
  const [shown, setShown] = useState(loaded)
  useEffect(() => followNavigation(loaded, (page) => flushSync(() => setShown(page))), [loaded])
  return { shown, isFirst: shown === loaded }
}
