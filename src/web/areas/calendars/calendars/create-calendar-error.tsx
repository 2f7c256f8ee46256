import { PROBLEMS } from '#contract/shared/problem.ts'
import { FormProblem } from '#web/kit/form-problem.tsx'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

export const LIMIT_REACHED = PROBLEMS['calendar.limit_reached'].title

/** Explains why the calendar was not created, with a link to the plans if the plan is the reason. */
export function CreateCalendarError({ sentence }: { sentence: string }) {
  if (sentence !== LIMIT_REACHED) return <FormProblem message={sentence} />
  const upgrade = (
    <ButtonLink size="sm" href={paths.pricing()}>
      Upgrade Plan
    </ButtonLink>
  )
  return (
    <Notice tone="warning" role="alert" action={upgrade}>
      {sentence}
    </Notice>
  )
}
