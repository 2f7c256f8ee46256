import type { FastifyInstance } from 'fastify'
import type { SitePageData } from '#contract/page-data.ts'
import type { AddressesDeps } from '#server/features/addresses/deps.ts'
import { hostRoutes } from '#server/features/addresses/host-routes.ts'
import { addressRoutes } from '#server/features/addresses/routes.ts'
import { appointmentActionRoutes } from '#server/features/appointment-actions/routes.ts'
import type { AppointmentActionsDeps } from '#server/features/appointment-actions/use-cases.ts'
import type { AppointmentEventsDeps } from '#server/features/appointment-events/deps.ts'
import { externalChangeRoutes } from '#server/features/appointment-events/routes.ts'
import { appointmentHistoryRoutes } from '#server/features/appointment-history/routes.ts'
import { customerMoveRoutes } from '#server/features/appointment-moves/customer-routes.ts'
import { appointmentMoveRoutes } from '#server/features/appointment-moves/routes.ts'
import { appointmentTypeRoutes } from '#server/features/appointment-types/routes.ts'
import { appointmentRoutes } from '#server/features/appointments/routes.ts'
import { availabilityRoutes } from '#server/features/availability/routes.ts'
import { billingRoutes } from '#server/features/billing/routes.ts'
import { billingWebhookRoutes } from '#server/features/billing/webhook-routes.ts'
import type { CustomerBookingDeps } from '#server/features/bookings/customer-booking.ts'
import { bookingRoutes, ownerBookingRoutes } from '#server/features/bookings/routes.ts'
import { brandingRoutes } from '#server/features/branding/routes.ts'
import type { BrandingDeps } from '#server/features/branding/use-cases.ts'
import { calendarFeedRoutes } from '#server/features/calendar-feeds/routes.ts'
import type { CalendarFeedsDeps } from '#server/features/calendar-feeds/use-cases.ts'
import { calendarRoutes } from '#server/features/calendars/routes.ts'
import type { CalendarsDeps } from '#server/features/calendars/use-cases.ts'
import { cancellationRoutes } from '#server/features/cancellations/routes.ts'
import type { CheckoutsDeps } from '#server/features/checkouts/find-payment-account.ts'
import { checkoutRoutes } from '#server/features/checkouts/routes.ts'
import { webhookRoutes } from '#server/features/checkouts/webhook-routes.ts'
import { contactRoutes } from '#server/features/contact/routes.ts'
import type { ContactDeps } from '#server/features/contact/use-cases.ts'
import { customerRoutes } from '#server/features/customers/routes.ts'
import { emailConfirmationRoutes } from '#server/features/email-confirmations/routes.ts'
import type { EmailConfirmationsDeps } from '#server/features/email-confirmations/use-cases.ts'
import type { ExternalCalendarsDeps } from '#server/features/external-calendars/deps.ts'
import { externalCalendarRoutes } from '#server/features/external-calendars/routes.ts'
import { calendarWebhookRoutes } from '#server/features/external-calendars/webhook-routes.ts'
import { insightRoutes } from '#server/features/insights/routes.ts'
import { locationRoutes } from '#server/features/locations/routes.ts'
import { mailboxRoutes } from '#server/features/mailbox/routes.ts'
import { managedAppointmentRoutes } from '#server/features/managed-appointments/routes.ts'
import type { CustomerSessionDeps } from '#server/features/managed-appointments/session-use-cases.ts'
import { manyChangeRoutes } from '#server/features/many-changes/routes.ts'
import type { MessagesDeps } from '#server/features/messages/owner-use-cases.ts'
import { recipientRoutes } from '#server/features/messages/recipient-routes.ts'
import type { RecipientsDeps } from '#server/features/messages/recipient-use-cases.ts'
import { messageRoutes } from '#server/features/messages/routes.ts'
import { paymentRoutes } from '#server/features/payments/routes.ts'
import type { PaymentsDeps } from '#server/features/payments/use-cases.ts'
import { peopleRoutes } from '#server/features/people/routes.ts'
import { profileRoutes } from '#server/features/profile/routes.ts'
import type { ProfileDeps } from '#server/features/profile/use-cases.ts'
import { registrationRoutes } from '#server/features/registrations/routes.ts'
import type { RegistrationsDeps } from '#server/features/registrations/use-cases.ts'
import { securityRoutes } from '#server/features/security/routes.ts'
import type { SecurityDeps } from '#server/features/security/use-cases.ts'
import type { SessionsDeps } from '#server/features/sessions/deps.ts'
import { sessionRoutes } from '#server/features/sessions/routes.ts'
import { slotRoutes } from '#server/features/slots/routes.ts'
import { specialDaysRoutes } from '#server/features/special-days/routes.ts'
import { subscriptionRoutes } from '#server/features/subscription/routes.ts'
import { transactionRoutes } from '#server/features/transactions/routes.ts'
import type { WaitingActionsDeps } from '#server/features/waiting-list/deps.ts'
import { ownerWaitingRoutes } from '#server/features/waiting-list/owner-routes.ts'
import { waitingRoutes } from '#server/features/waiting-list/routes.ts'
import { ownerGuard } from '#server/platform/http/owner-routes.ts'
import { publicCallers } from '#server/platform/http/public-caller.ts'
import type { BillingProvider } from '#server/ports/billing-provider.ts'
import { refuseOtherCalendars } from './refuse-other-calendars.ts'

export type RouteDeps = CustomerBookingDeps &
  CheckoutsDeps &
  CalendarsDeps &
  ProfileDeps &
  SecurityDeps &
  AppointmentActionsDeps &
  MessagesDeps &
  RecipientsDeps &
  PaymentsDeps &
  ContactDeps &
  EmailConfirmationsDeps &
  CustomerSessionDeps &
  RegistrationsDeps &
  ExternalCalendarsDeps &
  AppointmentEventsDeps &
  CalendarFeedsDeps &
  AddressesDeps &
  WaitingActionsDeps &
  BrandingDeps &
  SessionsDeps & {
    readonly sandbox: boolean
    /** The page of the stand-in of the DNS; null where the real one is asked. */
    readonly dnsPageUrl: string | null
    /** What the pages say about this installation now. */
    readonly site: () => SitePageData
    /** Null where nothing is for sale. */
    readonly billing: BillingProvider | null
  }

/** Every operation of the API. The mailbox exists in the sandbox only. */
export async function registerRoutes(app: FastifyInstance, deps: RouteDeps): Promise<void> {
  const signedIn = ownerGuard(deps.auth)
  const callerOf = publicCallers(deps.auth)
  refuseOtherCalendars(app, deps)
  await app.register(calendarRoutes(deps, signedIn))
  await app.register(peopleRoutes(deps, signedIn))
  await app.register(hostRoutes(deps))
  await app.register(addressRoutes(deps, signedIn))
  await app.register(brandingRoutes(deps, signedIn))
  await app.register(appointmentTypeRoutes(deps, signedIn))
  await app.register(locationRoutes(deps, signedIn))
  await app.register(availabilityRoutes(deps, signedIn))
  await app.register(specialDaysRoutes(deps, signedIn))
  await app.register(slotRoutes(deps))
  await app.register(bookingRoutes(deps, callerOf))
  await app.register(checkoutRoutes(deps, callerOf))
  await app.register(emailConfirmationRoutes(deps))
  await app.register(managedAppointmentRoutes(deps))
  await app.register(customerMoveRoutes(deps))
  await app.register(cancellationRoutes(deps))
  await app.register(webhookRoutes(deps))
  await app.register(waitingRoutes(deps))
  await app.register(ownerWaitingRoutes(deps, signedIn))
  await app.register(ownerBookingRoutes(deps, signedIn))
  await app.register(contactRoutes(deps))
  await app.register(customerRoutes(deps, signedIn))
  await app.register(appointmentRoutes(deps, signedIn))
  await app.register(appointmentActionRoutes(deps, signedIn))
  await app.register(appointmentMoveRoutes(deps, signedIn))
  await app.register(manyChangeRoutes(deps, signedIn))
  await app.register(appointmentHistoryRoutes(deps, signedIn))
  await app.register(insightRoutes(deps, signedIn))
  await app.register(externalChangeRoutes(deps, signedIn))
  await app.register(calendarFeedRoutes(deps, signedIn))
  await app.register(messageRoutes(deps, signedIn))
  await app.register(recipientRoutes(deps))
  await app.register(paymentRoutes(deps, signedIn))
  await app.register(transactionRoutes(deps, signedIn))
  await app.register(subscriptionRoutes(deps, signedIn))
  await app.register(billingRoutes(deps, signedIn))
  await app.register(billingWebhookRoutes(deps))
  await app.register(profileRoutes(deps, signedIn))
  await app.register(registrationRoutes(deps))
  await app.register(sessionRoutes(deps))
  await app.register(securityRoutes(deps, signedIn))
  await app.register(externalCalendarRoutes(deps, signedIn))
  await app.register(calendarWebhookRoutes(deps))
  if (deps.sandbox) await app.register(mailboxRoutes(deps))
  const { dnsPageUrl } = deps
  if (dnsPageUrl !== null) {
    app.get('/sandbox/dns', { schema: { hide: true } }, (_request, reply) => reply.redirect(dnsPageUrl, 302))
  }
}
