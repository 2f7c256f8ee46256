import { createIcon } from './icon.tsx'

export const ChevronDown = createIcon('M6 9l6 6 6-6')
