/** The maximum number of page buttons (rule W14). */
export const WINDOW_PAGES = 5

/** The page numbers to show: at most 5, consecutive, around `page`. */
export function pageWindow(page: number, totalPages: number): number[] {
  const length = Math.min(WINDOW_PAGES, totalPages)
  const centred = page - Math.floor(WINDOW_PAGES / 2)
  const first = Math.max(1, Math.min(centred, totalPages - length + 1))
  return Array.from({ length }, (_, index) => first + index)
}

/** The number of pages of a list; an empty list has one page. */
export function countPages(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize))
}
