import { useQuery } from '@tanstack/react-query'
import { subscriptionQuery } from '#web/areas/plans/subscription-query.ts'
import { paths } from '#web/shared/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** Tells the owner, in a calendar's settings, that the calendar takes no new bookings, and why. Source: rule S13. */
export function PausedCalendarNotice({ calendarId }: { calendarId: string }) {
  const { data: subscription } = useQuery(subscriptionQuery)
  if (!subscription?.paused_calendars.some(({ id }) => id === calendarId)) return null
  return (
    <Notice
      tone="warning"
      title="Paused"
      action={
        <ButtonLink size="sm" href={paths.profile('subscription')}>
          Choose calendars
        </ButtonLink>
      }
    >
      The {subscription.subscription_tier} plan allows fewer calendars than you have, so this one takes no new
      bookings. Existing bookings aren’t affected.
    </Notice>
  )
}
