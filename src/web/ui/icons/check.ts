import { createIcon } from './icon.tsx'

export const Check = createIcon('M20 6 9 17l-5-5')
