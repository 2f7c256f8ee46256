import type { CSSProperties } from 'react'
import { calendarColors } from '#core/calendars/page-colors.ts'

/** The calendar's colour as custom properties, readable by day and by night: `--accent` and the text `--on-accent`. */
export function accentStyle(color: string): CSSProperties {
  return calendarColors(color) as CSSProperties // React's type knows no custom properties
}
