import type { PointerEvent as ReactPointerEvent } from 'react'

/** The height of the zones at the upper and lower edge of the window in which a dragged row scrolls the page, in pixels. */
const EDGE_PX = 96
/** The page scrolls by this share of the pointer's depth in such a zone, in each frame. */
const SCROLL_SHARE = 0.15

/**
 * Lets the pointer that pressed a handle drag the row around it (`li`) within its list, until the pointer is released. The other
 * rows make room. Elements move only at the end, when `onDrop` gets all rows in the new order; until then, rows are only drawn
 * elsewhere. Escape puts the row back. So does the removal of the row, for example because it was deleted in another window.
 *
 * The list must be the offset parent of its rows. It has the attribute `data-dragging` meanwhile, and the row `data-dragged`.
 */
export function dragRow(
  { currentTarget: handle, button, isPrimary, pointerId, clientY }: ReactPointerEvent<HTMLElement>,
  onDrop: (rows: HTMLElement[]) => void,
): void {
  const row = handle.closest('li')
  const list = row?.parentElement
  if (!row || !list || button !== 0 || !isPrimary || 'dragging' in list.dataset) return
  const gapPx = Number.parseFloat(getComputedStyle(list).rowGap) || 0
  const grabbedPx = clientY - row.getBoundingClientRect().top
  const listeners = new AbortController()
  const { signal } = listeners
  let pointerY = clientY
  let frame = 0

  // A list has no other elements than its rows.
  const listRows = () => [...list.children] as HTMLElement[]

  /** Draws the row at the pointer and the others around it. Returns the rows in the order in which they are drawn. */
  const draw = (): HTMLElement[] => {
    const rows = listRows()
    const from = rows.indexOf(row)
    const height = row.offsetHeight
    const lowest = list.clientHeight - height
    const top = Math.max(0, Math.min(lowest, pointerY - grabbedPx - list.getBoundingClientRect().top))
    const middles = rows.map(({ offsetTop, offsetHeight }) => offsetTop + offsetHeight / 2)
    const isPassed = (index: number, middle: number) =>
      index < from ? top < middle : index > from && top + height > middle
    const passed = new Set(rows.filter((_, index) => isPassed(index, middles[index] ?? 0)))
    row.style.translate = `0 ${top - row.offsetTop}px`
    for (const [index, other] of rows.entries()) {
      if (other === row) continue
      const shiftPx = (index < from ? 1 : -1) * (height + gapPx)
      other.style.translate = passed.has(other) ? `0 ${shiftPx}px` : ''
    }
    const isAbove = (other: HTMLElement, index: number) => index < from !== passed.has(other)
    const above = rows.filter((other, index) => other !== row && isAbove(other, index))
    const below = rows.filter((other, index) => other !== row && !isAbove(other, index))
    return [...above, row, ...below]
  }

  const drawEachFrame = () => {
    if (!row.isConnected) return end()
    const lowerEdge = window.innerHeight - EDGE_PX
    const depthPx = Math.min(0, pointerY - EDGE_PX) + Math.max(0, pointerY - lowerEdge)
    const { top, bottom } = list.getBoundingClientRect()
    // The page scrolls no further than to the end of the list.
    const hasMore = depthPx < 0 ? top < EDGE_PX : bottom > lowerEdge
    if (depthPx !== 0 && hasMore) window.scrollBy({ top: depthPx * SCROLL_SHARE, behavior: 'instant' })
    draw()
    frame = requestAnimationFrame(drawEachFrame)
  }

  const end = () => {
    listeners.abort()
    cancelAnimationFrame(frame)
    delete list.dataset.dragging
    delete row.dataset.dragged
    for (const each of listRows()) each.style.translate = ''
  }

  const listen = <Name extends keyof WindowEventMap>(
    name: Name,
    listener: (event: WindowEventMap[Name]) => void,
  ) => window.addEventListener(name, listener, { signal, capture: true })
  listen('pointermove', (event) => {
    if (event.pointerId === pointerId) pointerY = event.clientY
  })
  listen('pointerup', (event) => {
    if (event.pointerId !== pointerId) return
    pointerY = event.clientY
    const rows = row.isConnected ? draw() : null
    end()
    if (rows !== null) onDrop(rows)
  })
  listen('pointercancel', (event) => {
    if (event.pointerId === pointerId) end()
  })
  listen('keydown', (event) => {
    if (event.key !== 'Escape') return
    event.stopPropagation()
    end()
  })
  // A long touch on the handle would open the browser's menu.
  listen('contextmenu', (event) => event.preventDefault())

  handle.setPointerCapture(pointerId)
  list.dataset.dragging = ''
  row.dataset.dragged = ''
  frame = requestAnimationFrame(drawEachFrame)
}
