import { useEffect } from 'react'
import { ApiProblem } from '#web/shared/api-client.ts'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { DayArc } from '#web/ui/day-arc.tsx'

/** What is said of a link that opens nothing, by the code of the refusal. The sentence below it is the refusal's own. */
const TITLES: Readonly<Record<string, string>> = {
  'manage.not_found': 'Link Not Found',
  'manage.replaced': 'Link Replaced',
  'manage.ended': 'Link Ended',
  'manage.erased': 'Details Erased',
  'manage.given_back': 'Booking Not Completed',
}

type LinkMessageProps = { error: Error; onRetry: () => void }

/** The page of a link that opens nothing, and why. What may go away by itself can be tried again. Source: rule R4. */
export function LinkMessage({ error, onRetry }: LinkMessageProps) {
  const title = error instanceof ApiProblem ? TITLES[error.code] : undefined
  const shown = title ?? 'Failed to load your appointment'
  useEffect(() => {
    document.title = `${shown} · Meridian`
  }, [shown])
  return (
    <section className="flex flex-col items-center gap-3 py-16 text-center">
      <DayArc at={null} className="h-20" />
      <h1 className="text-3xl sm:text-4xl">{shown}</h1>
      <p className="text-ink-soft text-balance">{error.message}</p>
      {title === undefined ? (
        <Button onClick={onRetry}>Try again</Button>
      ) : (
        <ButtonLink href={paths.home()}>Go Home</ButtonLink>
      )}
    </section>
  )
}
