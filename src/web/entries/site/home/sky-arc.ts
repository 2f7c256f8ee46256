/** Shares of the picture, in percent: the arc rises from its lower edge, with room for the sun above and beside it. */
export const CENTRE_X = 50
export const RADIUS_X = 45
export const RADIUS_Y = 88
export const ARC_TOP = 100 - RADIUS_Y

/** How long the light takes from the horizon to where it stands now. */
const RISE_MS = 1_600
/** Straight lines between so many points look like the arc. */
const STEPS = 24

/** Where on the arc a share of the way across the sky is: 0 rising, 0.5 on the meridian, 1 setting. In percent. */
export function onArc(at: number): { x: number; y: number } {
  const angle = Math.PI * (1 - at)
  return { x: CENTRE_X + RADIUS_X * Math.cos(angle), y: 100 - RADIUS_Y * Math.sin(angle) }
}

/**
 * Lets the light in `box`, which is as large as the sky, rise to its position once. The browser animates it by itself:
 * drawing every step kept a phone busy for two seconds in which it had a page to prepare.
 */
export function rise(box: HTMLElement, at: number): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return
  box.animate({ translate: wayTo(at) }, RISE_MS)
}

/** How far from its position the light is at each step, quick at first, slow at the end. */
function wayTo(at: number): string[] {
  const place = onArc(at)
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const share = 1 - (1 - step / STEPS) ** 3
    const { x, y } = onArc(at * share)
    return `${(x - place.x).toFixed(2)}% ${(y - place.y).toFixed(2)}%`
  })
}
