/**
 * Scrolls to the next step on a phone, where it is below the fold; without animation where motion is not wanted. It
 * does not scroll away from a button that was pressed by keyboard and keeps the focus.
 */
export function bringIntoView(element: HTMLElement | null | undefined): void {
  if (!matchMedia('(max-width: 767px)').matches || document.querySelector('button:focus-visible')) return
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.scrollIntoView({ block: 'start', behavior: calm ? 'auto' : 'smooth' })
}
