import { useState } from 'react'

/** The localStorage key of the owner's choice. Listed on the cookies page (rule D7). */
const SIDEBAR_KEY = 'sidebar'

type SidebarState = 'icons' | 'full'

/**
 * Returns whether the sidebar shows icons only, and a function that changes it. The browser remembers the choice. Until the owner
 * chooses, the sidebar is full, except where the page needs the room (`isTight`).
 */
export function useSidebarState(
  isTight: boolean,
): readonly [isCollapsed: boolean, setCollapsed: (next: boolean) => void] {
  const [chosen, setChosen] = useState(readChoice)
  return [
    chosen === null ? isTight : chosen === 'icons',
    (isCollapsed) => {
      const next = isCollapsed ? 'icons' : 'full'
      setChosen(next)
      try {
        localStorage.setItem(SIDEBAR_KEY, next)
      } catch {
        // Storage is blocked, so the choice applies to this page only.
      }
    },
  ]
}

function readChoice(): SidebarState | null {
  try {
    const stored = localStorage.getItem(SIDEBAR_KEY)
    return stored === 'icons' || stored === 'full' ? stored : null
  } catch {
    return null
  }
}
