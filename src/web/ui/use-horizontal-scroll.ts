import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'

/** Whether a row continues beyond its left and its right edge. */
export type HiddenEnds = { readonly left: boolean; readonly right: boolean }

const NOTHING: HiddenEnds = { left: false, right: false }
/** Tolerance in px, because scroll positions are fractional on zoomed screens. */
const TOLERANCE_PX = 1

/**
 * Tracks a row that scrolls horizontally. Returns which sides have more content, and a function that scrolls further. In
 * right-to-left text, `scrollLeft` counts down from 0, so both edges are measured.
 */
export function useHorizontalScroll(row: RefObject<HTMLElement | null>) {
  const [beyond, setBeyond] = useState(NOTHING)

  useLayoutEffect(() => {
    const element = row.current
    if (element === null) return
    const measure = () =>
      setBeyond((before) => {
        const now = measureBeyond(element)
        return before.left === now.left && before.right === now.right ? before : now
      })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    element.addEventListener('scroll', measure, { passive: true })
    measure()
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', measure)
    }
  }, [row])

  const turn = useCallback(
    (direction: 'left' | 'right') => {
      const width = row.current?.clientWidth ?? 0
      row.current?.scrollBy({ left: (direction === 'left' ? -0.7 : 0.7) * width, behavior: 'smooth' })
    },
    [row],
  )
  return { beyond, turn }
}

/** Scrolls an element to the middle of its row. Unlike `scrollIntoView`, this does not scroll the page. */
export function scrollIntoRowCentre(row: HTMLElement, element: Element, behavior: ScrollBehavior): void {
  const outer = row.getBoundingClientRect()
  const inner = element.getBoundingClientRect()
  row.scrollBy({ left: inner.left + inner.width / 2 - (outer.left + outer.width / 2), behavior })
}

function measureBeyond(row: HTMLElement): HiddenEnds {
  const hidden = row.scrollWidth - row.clientWidth
  if (hidden <= TOLERANCE_PX) return NOTHING
  const fromLeft = getComputedStyle(row).direction === 'rtl' ? hidden + row.scrollLeft : row.scrollLeft
  return { left: fromLeft > TOLERANCE_PX, right: fromLeft < hidden - TOLERANCE_PX }
}
