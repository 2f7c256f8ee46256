import { type RefObject, useLayoutEffect, useState } from 'react'

/** True when the element is at least so wide, also after a side bar beside it has opened. True before it is measured. */
export function useHasWidth(element: RefObject<HTMLElement | null>, minWidthPx: number): boolean {
  const [hasWidth, setHasWidth] = useState(true)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    const measure = () => setHasWidth(measured.clientWidth === 0 || measured.clientWidth >= minWidthPx)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element, minWidthPx])
  return hasWidth
}
