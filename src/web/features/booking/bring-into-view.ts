/**
 * Scrolls to the next step on a phone, where it lies below the fold; at once where motion is not wanted. Not away from a
 * button that was pressed by the keyboard and keeps the focus.
 */
export function bringIntoView(element: HTMLElement | null | undefined): void {
  if (!matchMedia('(max-width: 767px)').matches || document.querySelector('button:focus-visible')) return
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block: 'start', behavior: calm ? 'auto' : 'smooth' })
}
