/** The CSS classes of the backdrop behind a dialog. */
export const BACKDROP_CLASS =
  'fixed inset-0 z-40 bg-[rgb(10_16_28/0.55)] transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0'

/**
 * Centres dialogs on wide screens and shows them as sheets at the bottom on phones. Uses `overflow-clip` instead of
 * `overflow-hidden`, because `scrollIntoView` would scroll a hidden overflow and move the sheet out of view.
 */
export const DIALOG_VIEWPORT_CLASS =
  'fixed inset-0 z-40 flex items-end justify-center overflow-clip sm:items-center sm:p-6'

export const DIALOG_CLASS =
  'flex max-h-[min(92dvh,100dvh-var(--strip))] w-full flex-col rounded-t-card border border-line bg-surface text-ink shadow-pop outline-none transition duration-150 data-ending-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:translate-y-3 data-starting-style:opacity-0 sm:max-h-[min(92dvh,100dvh-2*var(--strip))] sm:max-w-lg sm:rounded-card'

/**
 * The CSS classes of a dialog's buttons: first cancel, then the main button. On phones, they share the width; if they do not fit
 * side by side, cancel is below.
 */
export const DIALOG_ACTIONS_CLASS = 'flex flex-wrap-reverse justify-end gap-3 *:grow sm:*:grow-0'
