import { icon, MIRRORED_IN_RTL } from './icon.tsx'

export const ChevronRight = icon('M9 18l6-6-6-6', MIRRORED_IN_RTL)
