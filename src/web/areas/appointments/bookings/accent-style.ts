import type { CSSProperties } from 'react'
import { calendarColors } from '#core/calendars/page-colors.ts'

/** The calendar's colour as CSS custom properties: `--accent`, and `--on-accent` for text on it. Readable in both themes. */
export function accentStyle(color: string): CSSProperties {
  return calendarColors(color) as CSSProperties // React's type knows no custom properties
}
