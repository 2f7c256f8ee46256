import { findStringParam } from '#web/entries/app/search-text.ts'

/** The query parameters of the customer list. */
export type CustomersParams = { search?: string | undefined; page?: number | undefined }

/** Reads the query parameters and leaves out missing and invalid ones. */
export function readCustomersParams(search: Record<string, unknown>): CustomersParams {
  const page = Number(search.page)
  return {
    search: findStringParam(search, 'search') || undefined,
    page: Number.isInteger(page) && page > 1 && page <= 1_000_000 ? page : undefined,
  }
}
