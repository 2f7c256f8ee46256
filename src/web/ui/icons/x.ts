import { createIcon } from './icon.tsx'

export const X = createIcon('M18 6 6 18M6 6l12 12')
