/**
 * Leads to what is next or new on a page: it takes the focus and is read, and comes into view, without animation where
 * motion is not wanted. A heading or a notice opens no keyboard. Source: rules B29, R5 and X4.
 */
export function leadTo(element: HTMLElement | null): void {
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ behavior: calm ? 'auto' : 'smooth' })
}
