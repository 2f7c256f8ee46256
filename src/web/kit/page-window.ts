/** How many page numbers are offered at once (rule W14). */
export const WINDOW_PAGES = 5

/** The page numbers to offer around `page`: at most 5, consecutive, within 1 to `totalPages`. */
export function pageWindow(page: number, totalPages: number): number[] {
  const length = Math.min(WINDOW_PAGES, totalPages)
  const centred = page - Math.floor(WINDOW_PAGES / 2)
  const first = Math.max(1, Math.min(centred, totalPages - length + 1))
  return Array.from({ length }, (_, index) => first + index)
}

/** How many pages a list of so many has: an empty one has one. */
export function countPages(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize))
}
