import type { QueryClient } from '@tanstack/react-query'
import { type BookingPageData, PREVIEW_READY, type PreviewMessage } from '#contract/pages/page-data.ts'

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
    // As the server does it: what opens over the page has the colours, too.
    for (const [name, value] of Object.entries(branding.colors)) {
      document.documentElement.style.setProperty(name, value)
    }
    styles.replaceSync(css)
  })
  // The server has taken the right to book from the page. Here it does not even try, so that nobody reads of a failure.
  addEventListener('click', keepButtons, { capture: true })
  addEventListener('submit', stop, { capture: true })
  parent.postMessage(PREVIEW_READY, location.origin)
}

function keepButtons(event: MouseEvent): void {
  if (!(event.target instanceof Element) || event.target.closest('[data-kept]') === null) return
  stop(event)
}

function stop(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
