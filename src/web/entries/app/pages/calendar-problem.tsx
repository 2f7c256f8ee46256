import { PROBLEMS } from '#contract/shared/problem.ts'
import { ApiProblem } from '#web/shared/api-client.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'

/** The texts for an error that a retry cannot fix. */
export type CalendarErrorText = { sentence: string; reason: string }

/** Explains why a calendar's settings cannot be shown, and links back to the dashboard. Source: rules C10 and Y13. */
export function CalendarErrorPage({ refusal: { sentence, reason } }: { refusal: CalendarErrorText }) {
  return (
    <div role="alert" className="flex flex-col items-center gap-5 px-4 py-16 text-center">
      <h1 className="max-w-prose text-2xl text-balance">{sentence}</h1>
      <p className="max-w-prose text-ink-soft text-balance">{reason}</p>
      <ButtonLink variant="primary" href={paths.dashboard()}>
        Return to Dashboard
      </ButtonLink>
    </div>
  )
}

export const MISSING_CALENDAR_ID_ERROR: CalendarErrorText = {
  sentence: 'Calendar ID is required',
  reason: 'This link doesn’t name a calendar. Choose one on the dashboard.',
}

const NOT_FOUND: CalendarErrorText = {
  sentence: PROBLEMS['calendar.not_found'].title,
  reason: 'It may have been deleted, or the link is incomplete.',
}

const REFUSALS: Record<number, CalendarErrorText> = {
  // A malformed id gets the same message as an unknown calendar.
  400: NOT_FOUND,
  403: {
    sentence: PROBLEMS['calendar.forbidden'].title,
    reason: 'Only its owner can open its settings. You may be logged in with a different account.',
  },
  404: NOT_FOUND,
}

/** Returns the texts for an error, or null if a retry may help. */
export function findCalendarErrorText(error: Error | null): CalendarErrorText | null {
  return error instanceof ApiProblem ? (REFUSALS[error.status] ?? null) : null
}
