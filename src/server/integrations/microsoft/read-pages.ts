import { z } from 'zod'
import { buildGraphError } from './graph-errors.ts'

/** Source: https://learn.microsoft.com/graph/paging, https://learn.microsoft.com/graph/delta-query-overview */
const graphPage = z.object({
  value: z.array(z.unknown()).default([]),
  '@odata.nextLink': z.string().optional(),
  '@odata.deltaLink': z.string().optional(),
})
export type GraphPage = {
  readonly items: readonly unknown[]
  /** On the last page of changes: the cursor URL for the next sync. */
  readonly deltaLink: string | null
}

/** Maximum number of pages. At two hundred events per page, nobody has more events in two years. */
const MAX_PAGES = 500

/**
 * Yields pages until there is no next page. `ask` receives the URL of the next page, or undefined for the first.
 * @throws CalendarProviderError `refused` when the pages do not end
 */
export async function* readPages(
  ask: (nextLink: string | undefined) => Promise<unknown>,
): AsyncIterable<GraphPage> {
  let nextLink: string | undefined
  for (let count = 0; count < MAX_PAGES; count++) {
    const parsed = graphPage.safeParse(await ask(nextLink))
    if (!parsed.success) throw buildGraphError('unavailable', 'an answer that is no page')
    const { value: items, '@odata.nextLink': following, '@odata.deltaLink': deltaLink = null } = parsed.data
    yield { items, deltaLink }
    if (following === undefined) return
    // Stop at a page that links to itself, which would loop forever.
    if (following === nextLink) break
    nextLink = following
  }
  throw buildGraphError('refused', 'pages without an end')
}
