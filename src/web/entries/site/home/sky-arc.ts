/**
 * Measures in percent of the drawing. The arc rises from the lower edge and leaves room for the sun above it and at its sides.
 */
export const ARC_CENTRE_X = 50
export const ARC_RADIUS_X = 45
export const ARC_RADIUS_Y = 88
export const ARC_TOP = 100 - ARC_RADIUS_Y

/** How long the sun or moon takes to rise from the horizon to its current position, in ms. */
const RISE_MS = 1_600
/** Number of straight segments. With this many, the path looks like the arc. */
const STEPS = 24

/** Returns the position on the arc, in percent: `at` is 0 at the rise, 0.5 on the meridian, 1 at the setting. */
export function positionOnArc(at: number): { x: number; y: number } {
  const angle = Math.PI * (1 - at)
  return { x: ARC_CENTRE_X + ARC_RADIUS_X * Math.cos(angle), y: 100 - ARC_RADIUS_Y * Math.sin(angle) }
}

/**
 * Animates the sun or moon in `box`, which is as large as the sky, from the horizon to its position, once. Uses a browser
 * animation, because rendering each step from a script kept a phone busy for two seconds while it still had to prepare the page.
 */
export function animateRise(box: HTMLElement, at: number): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  box.animate({ translate: wayTo(at) }, RISE_MS)
}

/** Returns the distance from the final position at each step, fast at first and slow at the end. */
function wayTo(at: number): string[] {
  const place = positionOnArc(at)
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const share = 1 - (1 - step / STEPS) ** 3
    const { x, y } = positionOnArc(at * share)
    return `${(x - place.x).toFixed(2)}% ${(y - place.y).toFixed(2)}%`
  })
}
