import { CalendarProviderError } from '#server/ports/external-calendar.ts'

/** Maximum number of pages. At a thousand events per page, nobody has more events in two years. */
const MAX_PAGES = 200

/**
 * Yields pages until there is no next page.
 * @throws CalendarProviderError `refused` when the pages do not end
 */
export async function* readPages<Page extends { readonly nextPageToken?: string | null | undefined }>(
  ask: (pageToken: string | undefined) => Promise<Page>,
): AsyncIterable<Page> {
  let pageToken: string | undefined
  for (let count = 0; count < MAX_PAGES; count++) {
    const page = await ask(pageToken)
    yield page
    if (!page.nextPageToken) return
    // Stop at a page that links to itself, which would loop forever.
    if (page.nextPageToken === pageToken) break
    pageToken = page.nextPageToken
  }
  throw new CalendarProviderError('refused', 'Google sends more pages than a calendar can have.')
}
