import { WaitingPage } from '#web/areas/waiting-list/customer/waiting-page.tsx'
import { CancellationPart } from './cancellation-part.tsx'
import type { LinkRoute } from './find-route.ts'
import { followAcceptance } from './follow-acceptance.ts'
import { ManagePart } from './manage-part.tsx'

/** The pages that links of emails open. They are one download, because the booking page has no room to name each. */
export function LinkPart(route: LinkRoute) {
  switch (route.page) {
    case 'cancel':
      return <CancellationPart appointmentId={route.appointmentId} />
    case 'manage':
      return <ManagePart token={route.token} />
    case 'waiting':
      return <WaitingPage token={route.token} onAccepted={followAcceptance} />
  }
}
