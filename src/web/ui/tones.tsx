import { CircleAlert } from './icons/circle-alert.ts'
import { CircleCheck } from './icons/circle-check.ts'
import { Info } from './icons/info.ts'
import { TriangleAlert } from './icons/triangle-alert.ts'

/** The tone of a toast or notice. */
export type Tone = 'info' | 'success' | 'warning' | 'danger'

/** The icon of each tone, so that the meaning does not depend on colour alone. */
export const TONE_ICONS = {
  info: Info,
  success: CircleCheck,
  warning: TriangleAlert,
  danger: CircleAlert,
} as const satisfies Record<Tone, unknown>
