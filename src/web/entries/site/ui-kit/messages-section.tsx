import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { LoadingState } from '#web/ui/loading-state.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { UiKitSection } from './kit-section.tsx'

/** Shows Meridian's messages, empty states and errors. */
export function MessagesSection() {
  return (
    <UiKitSection title="Messages and states">
      <div className="grid gap-4 md:grid-cols-2">
        <Notice tone="info" title="Sandbox" action={<Button size="sm">Open mailbox</Button>}>
          Emails are kept on this machine and not sent.
        </Notice>
        <Notice tone="success" title="Cancellation Pending">
          The calendar owner will review your request.
        </Notice>
        <Notice tone="warning">Payment will be handled manually.</Notice>
        <Notice tone="danger" title="This time is no longer available.">
          Please choose another time.
        </Notice>
      </div>
      <div className="grid gap-4 md:grid-cols-3">
        <Card>
          <EmptyState
            title="You haven't created any calendars yet."
            action={<Button>Create Your First Calendar</Button>}
          />
        </Card>
        <Card>
          <ErrorState title="Error loading your calendars. Please try again." onRetry={() => {}} />
        </Card>
        <Card>
          <LoadingState text="Loading available times..." />
          <div className="space-y-2">
            <Skeleton className="h-5 w-2/3" />
            <Skeleton className="h-11" />
          </div>
        </Card>
      </div>
    </UiKitSection>
  )
}
