import { CircleAlert } from './icons/circle-alert.ts'
import { CircleCheck } from './icons/circle-check.ts'
import { Info } from './icons/info.ts'
import { TriangleAlert } from './icons/triangle-alert.ts'

/** How a message is meant; toasts and notices share the four. */
export type Tone = 'info' | 'success' | 'warning' | 'danger'

/** The icon of each tone, so that colour never carries the meaning alone. */
export const TONE_ICONS = {
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  danger: CircleAlert,
} as const satisfies Record<Tone, unknown>
