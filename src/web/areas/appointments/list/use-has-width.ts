import { type RefObject, useLayoutEffect, useState } from 'react'

/** True when the element is at least so wide, also after a side bar beside it has opened. True before the first one is measured. */
export function useHasWidth(element: RefObject<HTMLElement | null>, minWidthPx: number): boolean {
  return useFittingCount(element, minWidthPx) > 0
}

/** The last count for each width. A page that opens again is rendered with it at once, not twice. */
const lastCounts = new Map<number, number>()

/** Returns how many parts of this width fit side by side into the element. Infinity before the first one is measured. */
export function useFittingCount(element: RefObject<HTMLElement | null>, widthPx: number): number {
  const [count, setCount] = useState(() => lastCounts.get(widthPx) ?? Number.POSITIVE_INFINITY)
  useLayoutEffect(() => {
    const measured = element.current
    if (measured === null) return
    const measure = () => {
      const { clientWidth } = measured
      const fitting = clientWidth === 0 ? Number.POSITIVE_INFINITY : Math.floor(clientWidth / widthPx)
      lastCounts.set(widthPx, fitting)
      setCount(fitting)
    }
    // Measuring makes the browser lay out the page, so an expected count is left to the observer, which looks before the paint.
    if (!lastCounts.has(widthPx)) measure()
    const observer = new ResizeObserver(measure)
    observer.observe(measured)
    return () => observer.disconnect()
  }, [element, widthPx])
  return count
}
