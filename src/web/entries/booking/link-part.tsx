import { CancellationRequestPage } from '#web/areas/appointments/cancellations/cancellation-page.tsx'
import { ManageAppointmentPage } from '#web/areas/appointments/customer-page/manage-page.tsx'
import { CustomerWaitingListPage } from '#web/areas/waiting-list/customer/waiting-page.tsx'
import type { EmailLinkRoute } from './find-route.ts'
import { openPageAfterAcceptance } from './follow-acceptance.ts'

/** The pages that emails link to. They share one lazy chunk, because the name of each chunk adds bytes to the booking page. */
export function LinkPages(route: EmailLinkRoute) {
  switch (route.page) {
    case 'cancel':
      return <CancellationRequestPage appointmentId={route.appointmentId} />
    case 'manage':
      return <ManageAppointmentPage token={route.token} />
    case 'waiting':
      return <CustomerWaitingListPage token={route.token} onAccepted={openPageAfterAcceptance} />
  }
}
