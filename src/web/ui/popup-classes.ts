/** The CSS classes of the popup of a select or combobox, which is as wide as its control. */
export const POPUP_CLASS =
  'w-[var(--anchor-width)] max-w-[var(--available-width)] rounded-control border border-line bg-surface text-ink shadow-pop outline-none transition-opacity duration-100 data-ending-style:opacity-0 data-starting-style:opacity-0'

/** The CSS classes of an option in the popup. The selected option is bold and has a check mark. */
export const OPTION_CLASS =
  'flex min-h-10 cursor-default items-center justify-between gap-3 rounded-lg px-3 py-2 text-base outline-none select-none data-highlighted:bg-sunken data-selected:font-semibold touch:min-h-11'
