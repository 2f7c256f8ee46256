import { createIcon } from './icon.tsx'

export const Code = createIcon('m16 18 6-6-6-6M8 6l-6 6 6 6')
