/** The CSS classes of a row in a list of links: the sidebar, More and the settings. A line at its start marks the current page. */
export const ROW_CLASS =
  'relative flex w-full items-center gap-3 rounded-control px-3 text-start text-[0.9375rem] font-medium text-ink-soft hover:bg-sunken hover:text-ink focus-visible:-outline-offset-2 touch:min-h-11 aria-[current]:bg-sunken aria-[current]:font-semibold aria-[current]:text-ink before:absolute before:inset-y-2 before:start-0 before:w-[3px] before:rounded-full aria-[current]:before:bg-noon forced-colors:before:hidden'
