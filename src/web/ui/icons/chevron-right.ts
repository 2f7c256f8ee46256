import { createIcon, MIRRORED_IN_RTL } from './icon.tsx'

export const ChevronRight = createIcon('M9 18l6-6-6-6', MIRRORED_IN_RTL)
