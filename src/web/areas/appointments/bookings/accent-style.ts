import type { CSSProperties } from 'react'
import { calendarColors } from '#core/calendars/page-colors.ts'

/**
 * Returns the calendar's colour as CSS custom properties: `--accent`, and `--on-accent` for text on that colour. Both are
 * readable in light and dark mode.
 */
export function accentStyle(color: string): CSSProperties {
  return calendarColors(color) as CSSProperties // React's type does not include custom properties
}
