/** Scrolls to the next step on a phone, where it lies below the fold; at once where motion is not wanted. */
export function bringIntoView(element: HTMLElement | null): void {
  if (element === null || !matchMedia('(max-width: 767px)').matches) return
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  element.scrollIntoView({ block: 'start', behavior: calm ? 'auto' : 'smooth' })
}
