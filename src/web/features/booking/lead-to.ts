/**
 * Leads to the heading of the next step: it takes the focus and is read, and comes into view, without animation where
 * motion is not wanted. A heading opens no keyboard. Source: rule B29.
 */
export function leadTo(id: string): void {
  const heading = document.getElementById(id)
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches
  heading?.focus({ preventScroll: true })
  heading?.scrollIntoView({ behavior: calm ? 'auto' : 'smooth' })
}
