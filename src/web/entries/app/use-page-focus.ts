import { type RefObject, useEffect, useRef } from 'react'

/** Focuses the page content when the path changes, so that screen readers announce the new page. */
export function usePageFocus(content: RefObject<HTMLElement | null>, pathname: string): void {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    content.current?.focus({ preventScroll: true })
  }, [content, pathname])
}
