import { createIcon, MIRRORED_IN_RTL } from './icon.tsx'

export const ChevronLeft = createIcon('M15 18l-6-6 6-6', MIRRORED_IN_RTL)
