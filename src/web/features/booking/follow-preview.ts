import type { QueryClient } from '@tanstack/react-query'
import { type BookingPageData, PREVIEW_READY, type PreviewMessage } from '#contract/page-data.ts'

/**
 * Shows a look that is not saved yet: the form beside this page sends it. Only a page of our own that shows this one in
 * a frame is listened to. Source: rule K9.
 */
export function followPreview(client: QueryClient): void {
  const styles = new CSSStyleSheet()
  document.adoptedStyleSheets.push(styles)
  addEventListener('message', ({ origin, source, data }: MessageEvent<PreviewMessage>) => {
    if (origin !== location.origin || source !== parent) return
    const { branding, css } = data
    client.setQueriesData<BookingPageData>(
      { queryKey: ['booking-page'] },
      (page) => page && { ...page, branding },
    )
    styles.replaceSync(css)
  })
  parent.postMessage(PREVIEW_READY, location.origin)
}
