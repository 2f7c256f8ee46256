import { type RefObject, useEffect, useRef } from 'react'

/** Moves the focus to the page when its path changes, so that a screen reader hears where it is. */
export function usePageFocus(content: RefObject<HTMLElement | null>, pathname: string): void {
  const shown = useRef(pathname)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    content.current?.focus({ preventScroll: true })
  }, [content, pathname])
}
