import { createIcon } from './icon.tsx'

export const ChevronUp = createIcon('M6 15l6-6 6 6')
