import { type RefObject, useEffect, useRef } from 'react'

/**
 * Focuses the page content when the path changes, so that screen readers announce the new page. `isNeeded`, called after the
 * change, returns false where the focus should stay.
 */
export function usePageFocus(
  content: RefObject<HTMLElement | null>,
  pathname: string,
  isNeeded = () => true,
): void {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    if (isNeeded()) content.current?.focus({ preventScroll: true })
  }, [content, pathname, isNeeded])
}
