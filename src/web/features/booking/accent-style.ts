import type { CSSProperties } from 'react'
import { accentOn } from '#core/publishing/accent.ts'

/**
 * The surface of each theme with the least contrast for the accent: `sunken` by day, `surface` by night (ui/theme.css).
 */
const HARDEST_LIGHT = '#f2ecdf'
const HARDEST_DARK = '#162033'

/** The calendar's colour as custom properties, readable by day and by night: `--accent` and the text `--on-accent`. */
export function accentStyle(color: string): CSSProperties {
  const light = accentOn(color, HARDEST_LIGHT)
  const dark = accentOn(color, HARDEST_DARK)
  const properties = {
    '--accent': `light-dark(${light.color}, ${dark.color})`,
    '--on-accent': `light-dark(${light.onColor}, ${dark.onColor})`,
  }
  return properties as CSSProperties // React's type knows no custom properties
}
