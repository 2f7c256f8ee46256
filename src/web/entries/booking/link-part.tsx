import { CancellationPage } from '#web/areas/appointments/cancellations/cancellation-page.tsx'
import { ManagePage } from '#web/areas/appointments/customer-page/manage-page.tsx'
import { WaitingPage } from '#web/areas/waiting-list/customer/waiting-page.tsx'
import type { LinkRoute } from './find-route.ts'
import { followAcceptance } from './follow-acceptance.ts'

/** The pages that emails link to. They share one lazy chunk, because the name of each chunk adds bytes to the booking page. */
export function LinkPart(route: LinkRoute) {
  switch (route.page) {
    case 'cancel':
      return <CancellationPage appointmentId={route.appointmentId} />
    case 'manage':
      return <ManagePage token={route.token} />
    case 'waiting':
      return <WaitingPage token={route.token} onAccepted={followAcceptance} />
  }
}
