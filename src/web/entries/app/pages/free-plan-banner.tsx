import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Tells owners without a subscription what the Free plan includes and what a larger plan would add. Source: rule S8. */
export function FreePlanBanner({ isSelling }: { isSelling: boolean }) {
  return (
    <Notice
      tone="info"
      title="You’re on the Free plan"
      action={
        <ButtonLink size="sm" href={paths.pricing()}>
          Upgrade Plan
        </ButtonLink>
      }
    >
      It includes one calendar.{' '}
      {isSelling ? 'Upgrade for more.' : 'Larger plans aren’t sold on this site yet.'}
    </Notice>
  )
}
