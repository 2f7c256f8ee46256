import type { Calendar } from '#contract/calendars.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { ExternalLink } from '#web/ui/icons/external-link.ts'
import { withoutScheme } from './without-scheme.ts'

/** Where customers book, to copy and to look at. Source: rule W7. */
export function BookingPageCard({ calendar }: { calendar: Calendar }) {
  return (
    <Card
      title="Booking Page"
      description="Share this link with your customers."
      actions={
        <ButtonLink size="sm" href={calendar.public_url} target="_blank" rel="noopener">
          <ExternalLink aria-hidden="true" className="size-4" />
          View Booking Page
        </ButtonLink>
      }
    >
      <div className="flex flex-wrap items-center gap-2 rounded-control bg-sunken p-2 ps-3">
        <span className="min-w-0 flex-1 basis-48 wrap-anywhere">{withoutScheme(calendar.public_url)}</span>
        <CopyButton text={calendar.public_url} label="Copy link" done="Copied to clipboard!">
          Copy link
        </CopyButton>
      </div>
    </Card>
  )
}
