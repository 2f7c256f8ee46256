import { useEffect, useRef, useState } from 'react'
import type { BrandingPreview as Preview } from '#contract/calendars/branding.ts'
import { PREVIEW_PARAM, PREVIEW_READY_MESSAGE, type PreviewMessage } from '#contract/pages/page-data.ts'
import { paths } from '#web/shared/paths.ts'
import { Notice } from '#web/ui/notice.tsx'

type BrandingPreviewProps = { slug: string; preview: Preview | undefined; error: Error | null }

/**
 * Shows the booking page with the edited branding in a frame. Visitors of the frame cannot book, because its policy allows only
 * requests for times (`restrictPageRequests`). Source: rule K9.
 */
export function BrandingPreview({ slug, preview, error }: BrandingPreviewProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  // A counter, because the frame needs the branding again each time it has loaded.
  const [readyTimes, setReadyTimes] = useState(0)
  useEffect(() => {
    const listen = ({ source, origin, data }: MessageEvent) => {
      const isOurs = source === frame.current?.contentWindow && origin === location.origin
      if (isOurs && data === PREVIEW_READY_MESSAGE) setReadyTimes((times) => times + 1)
    }
    addEventListener('message', listen)
    return () => removeEventListener('message', listen)
  }, [])
  useEffect(() => {
    if (readyTimes === 0 || preview === undefined) return
    const message: PreviewMessage = { branding: preview.branding, css: preview.css }
    frame.current?.contentWindow?.postMessage(message, location.origin)
  }, [readyTimes, preview])
  return (
    <section
      aria-labelledby="branding-preview"
      className="flex min-w-0 flex-col gap-3 self-start @4xl:sticky @4xl:top-6"
    >
      <h3 id="branding-preview" className="text-lg font-semibold">
        Preview
      </h3>
      {error !== null && (
        <Notice tone="warning" role="status">
          The preview doesn’t show your last change: {error.message}
        </Notice>
      )}
      <iframe
        ref={frame}
        title="The booking page with this branding"
        src={`${paths.book(slug)}?${PREVIEW_PARAM}`}
        className="h-[44rem] w-full rounded-card border border-line-strong bg-surface"
      />
      <p className="text-sm text-ink-soft">
        Bookings here aren’t real, and your changes aren’t saved until you save them.
      </p>
    </section>
  )
}
