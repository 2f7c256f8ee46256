import { PROBLEMS } from '#contract/problem.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'

/** Why the settings of a calendar cannot be shown. Source: spec §2 "Calendar settings", §8 "Calendars". */
export function CalendarProblem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const sentence = sentenceFor(error)
  if (sentence === null)
    return <ErrorState title="Error loading calendar" hint={error.message} onRetry={onRetry} />
  return <NoCalendar sentence={sentence} />
}

/** Why there is nothing here to set, and the way back. */
export function NoCalendar({ sentence }: { sentence: string }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-5 px-4 py-16 text-center">
      <h1 className="max-w-prose text-2xl">{sentence}</h1>
      <ButtonLink variant="primary" href={paths.dashboard()}>
        Return to Dashboard
      </ButtonLink>
    </div>
  )
}

/** The sentence of a refusal that trying again does not change; null for anything else. */
function sentenceFor(error: Error): string | null {
  if (!(error instanceof ApiProblem)) return null
  if (error.status === 403) return PROBLEMS['calendar.forbidden'].title
  // An address that is no id at all is a calendar that does not exist, too.
  if (error.status === 404 || error.status === 400) return PROBLEMS['calendar.not_found'].title
  return null
}
