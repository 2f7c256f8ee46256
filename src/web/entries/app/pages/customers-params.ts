import { textParam } from '#web/entries/app/search-text.ts'

/** What the address says of the list of customers. */
export type CustomersParams = { search?: string | undefined; page?: number | undefined }

/** What is not there, or cannot be, is left out. */
export function readCustomersParams(search: Record<string, unknown>): CustomersParams {
  const page = Number(search.page)
  return {
    search: textParam(search, 'search') || undefined,
    page: Number.isInteger(page) && page > 1 && page <= 1_000_000 ? page : undefined,
  }
}
