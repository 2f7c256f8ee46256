import { createIcon, MIRRORED_IN_RTL } from './icon.tsx'

export const PanelLeft = createIcon(
  'M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2M9 3v18',
  MIRRORED_IN_RTL,
)
