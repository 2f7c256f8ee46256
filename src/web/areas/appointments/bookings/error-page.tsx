import { PageNotFound } from '#web/shared/page-not-found.tsx'
import { paths } from '#web/shared/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { PageMessage } from './page-message.tsx'

/** Why there is nothing to book: no page has the path, or the page's data could not be loaded. Otherwise, there is no calendar. */
export type ErrorPageProps = { unknownPath?: string; failure?: { error: Error; onRetry: () => void } }

/** The page shown when there is nothing to book. Browsers download it only then. Source: rules W1 and W8. */
export function ErrorPage({ unknownPath, failure }: ErrorPageProps) {
  if (unknownPath !== undefined) return <PageNotFound path={unknownPath} />
  if (failure !== undefined) {
    return (
      <PageMessage title={failure.error.message}>
        <Button onClick={failure.onRetry}>Try again</Button>
      </PageMessage>
    )
  }
  return (
    <PageMessage title="Calendar Not Found" hint="The calendar you're looking for doesn't exist.">
      <ButtonLink href={paths.home()}>Go Home</ButtonLink>
    </PageMessage>
  )
}
