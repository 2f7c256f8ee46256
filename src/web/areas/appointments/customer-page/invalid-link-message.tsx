import { useEffect } from 'react'
import { PageMessage } from '#web/areas/appointments/bookings/page-message.tsx'
import { ApiProblem } from '#web/shared/api-client.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'

/** The headings for an invalid link, by error code. The sentence below the heading comes from the server. */
const TITLES: Readonly<Record<string, string>> = {
  'manage.not_found': 'Link not found',
  'manage.replaced': 'Link replaced',
  'manage.ended': 'Link expired',
  'manage.erased': 'Details erased',
  'manage.given_back': 'Booking not completed',
}

type InvalidLinkMessageProps = { error: Error; onRetry: () => void }

/** The page for an invalid link: shows the reason, and a retry button after a temporary failure. Source: rule R4. */
export function InvalidLinkMessage({ error, onRetry }: InvalidLinkMessageProps) {
  const title = error instanceof ApiProblem ? TITLES[error.code] : undefined
  const shown = title ?? 'Failed to load your appointment'
  useEffect(() => {
    document.title = `${shown} · Meridian`
  }, [shown])
  return (
    <PageMessage title={shown} hint={error.message}>
      {title === undefined ? (
        <Button onClick={onRetry}>Try again</Button>
      ) : (
        <ButtonLink href={paths.home()}>Go Home</ButtonLink>
      )}
    </PageMessage>
  )
}
