import type { QueryClient } from '@tanstack/react-query'
import {
  type BookingPageData,
  PREVIEW_READY_MESSAGE,
  type PreviewMessage,
} from '#contract/pages/page-data.ts'

/**
 * Previews unsaved branding: the branding form embeds this page in an iframe and sends the form's values as messages.
 * Ignores messages from other origins. Source: rule K9.
 */
export function showPreviewMessages(client: QueryClient): void {
  const styles = new CSSStyleSheet()
  document.adoptedStyleSheets.push(styles)
  addEventListener('message', ({ origin, source, data }: MessageEvent<PreviewMessage>) => {
    if (origin !== location.origin || source !== parent) return
    const { branding, css } = data
    client.setQueriesData<BookingPageData>(
      { queryKey: ['booking-page'] },
      (page) => page && { ...page, branding },
    )
    // Set the colours on the root element, as the server does, so that they apply to dialogs, too.
    for (const [name, value] of Object.entries(branding.colors)) {
      document.documentElement.style.setProperty(name, value)
    }
    styles.replaceSync(css)
  })
  // Block the buttons, because the server refuses bookings from a preview with an error message.
  addEventListener('click', keepButtons, { capture: true })
  addEventListener('submit', stop, { capture: true })
  parent.postMessage(PREVIEW_READY_MESSAGE, location.origin)
}

function keepButtons(event: MouseEvent): void {
  if (!(event.target instanceof Element) || event.target.closest('[data-kept]') === null) return
  stop(event)
}

function stop(event: Event): void {
  event.preventDefault()
  event.stopPropagation()
}
