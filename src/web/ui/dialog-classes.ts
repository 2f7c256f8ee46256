/** What lies between a dialog and the page. */
export const BACKDROP_CLASS =
  'fixed inset-0 z-40 bg-[rgb(10_16_28/0.55)] transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0'

/**
 * Centred on wide screens, a sheet at the lower edge on phones. Clipped and not hidden: what is only hidden is moved by
 * `scrollIntoView`, and the sheet would leave the edge and lose its head.
 */
export const DIALOG_VIEWPORT_CLASS =
  'fixed inset-0 z-40 flex items-end justify-center overflow-clip sm:items-center sm:p-6'

export const DIALOG_CLASS =
  'flex max-h-[92dvh] w-full flex-col rounded-t-card border border-line bg-surface text-ink shadow-pop outline-none transition duration-150 data-ending-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:translate-y-3 data-starting-style:opacity-0 sm:max-w-lg sm:rounded-card'

/**
 * The buttons at the foot: the way back, then the main one. On phones they share the width; where they do not fit
 * beside each other, the way back is below.
 */
export const DIALOG_ACTIONS_CLASS = 'flex flex-wrap-reverse justify-end gap-3 *:grow sm:*:grow-0'
