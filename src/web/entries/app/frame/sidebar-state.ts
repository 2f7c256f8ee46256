import { makeStoredChoice } from '#web/kit/stored-choice.ts'

/** Listed on the cookies page (rule D7). */
const sidebar = makeStoredChoice('sidebar', ['icons', 'full'])

/**
 * Returns whether the sidebar shows icons only, and a function that changes it. The browser remembers the choice. Until the owner
 * chooses, the sidebar is full, except where the page needs the room (`isTight`).
 */
export function useSidebarState(
  isTight: boolean,
): readonly [isCollapsed: boolean, setCollapsed: (next: boolean) => void] {
  const chosen = sidebar.useChoice()
  return [
    chosen === null ? isTight : chosen === 'icons',
    (isCollapsed) => sidebar.choose(isCollapsed ? 'icons' : 'full'),
  ]
}
