import { createIcon } from './icon.tsx'

export const GripVertical = createIcon(
  'M10 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0M10 5a1 1 0 1 1-2 0 1 1 0 0 1 2 0M10 19a1 1 0 1 1-2 0 1 1 0 0 1 2 0M16 12a1 1 0 1 1-2 0 1 1 0 0 1 2 0M16 5a1 1 0 1 1-2 0 1 1 0 0 1 2 0M16 19a1 1 0 1 1-2 0 1 1 0 0 1 2 0',
)
