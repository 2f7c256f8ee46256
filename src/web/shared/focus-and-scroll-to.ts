/**
 * Focuses an element, so that screen readers announce it, and scrolls to it. Scrolls without animation if the user prefers
 * reduced motion. Used for headings and notices, because focusing them does not open the on-screen keyboard. Source: rules B29,
 * R5 and X4.
 */
export function focusAndScrollTo(element: HTMLElement | null, block: ScrollLogicalPosition = 'start'): void {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block, behavior: calm ? 'auto' : 'smooth' })
}
