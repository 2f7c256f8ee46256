import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { followNavigation } from './follow-navigation.ts'
import type { ShownPage } from './shown-page.ts'

/** The page that this document shows now: the one it was loaded with, until another replaces it. */
export function useShownPage(first: ShownPage): { shown: ShownPage; isFirst: boolean } {
  const [loaded] = useState(first)
  const [shown, setShown] = useState(loaded)
  useEffect(() => followNavigation(loaded, (page) => flushSync(() => setShown(page))), [loaded])
  return { shown, isFirst: shown === loaded }
}
