/** Maximum number of page buttons (rule W14). */
export const MAX_PAGE_BUTTONS = 5

/** Returns the page numbers to show around `page`: consecutive, and at most `MAX_PAGE_BUTTONS`. */
export function listPageButtons(page: number, totalPages: number): number[] {
  const length = Math.min(MAX_PAGE_BUTTONS, totalPages)
  const centred = page - Math.floor(MAX_PAGE_BUTTONS / 2)
  const first = Math.max(1, Math.min(centred, totalPages - length + 1))
  return Array.from({ length }, (_, index) => first + index)
}

/** Returns the number of pages of a list. An empty list has one page. */
export function countPages(total: number, pageSize: number): number {
  return Math.max(1, Math.ceil(total / pageSize))
}
