import type { FastifyInstance } from 'fastify'
import type { SitePageData } from '#contract/pages/page-data.ts'
import { profileRoutes } from '#server/areas/accounts/profile/routes.ts'
import type { ProfileDeps } from '#server/areas/accounts/profile/use-cases.ts'
import { registrationRoutes } from '#server/areas/accounts/registrations/routes.ts'
import type { RegistrationsDeps } from '#server/areas/accounts/registrations/use-cases.ts'
import { securityRoutes } from '#server/areas/accounts/security/routes.ts'
import type { SecurityDeps } from '#server/areas/accounts/security/use-cases.ts'
import type { SessionsDeps } from '#server/areas/accounts/sessions/deps.ts'
import { sessionRoutes } from '#server/areas/accounts/sessions/routes.ts'
import { setupRoutes } from '#server/areas/accounts/setup/routes.ts'
import type { AddressesDeps } from '#server/areas/addresses/deps.ts'
import { hostRoutes } from '#server/areas/addresses/host-routes.ts'
import { addressRoutes } from '#server/areas/addresses/routes.ts'
import { appointmentActionRoutes } from '#server/areas/appointments/actions/routes.ts'
import type { AppointmentActionsDeps } from '#server/areas/appointments/actions/use-cases.ts'
import type { CustomerBookingDeps } from '#server/areas/appointments/bookings/customer-booking.ts'
import { bookingRoutes, ownerBookingRoutes } from '#server/areas/appointments/bookings/routes.ts'
import { cancellationRoutes } from '#server/areas/appointments/cancellations/routes.ts'
import { managedAppointmentRoutes } from '#server/areas/appointments/customer-page/routes.ts'
import { emailConfirmationRoutes } from '#server/areas/appointments/email-confirmations/routes.ts'
import type { EmailConfirmationsDeps } from '#server/areas/appointments/email-confirmations/use-cases.ts'
import { insightRoutes } from '#server/areas/appointments/insights/routes.ts'
import { customerMoveRoutes } from '#server/areas/appointments/moves/customer-routes.ts'
import { appointmentMoveRoutes } from '#server/areas/appointments/moves/routes.ts'
import { publicSeriesRoutes, seriesRoutes } from '#server/areas/appointments/series/routes.ts'
import { testAppointmentRoutes } from '#server/areas/appointments/test-appointments/routes.ts'
import { manyChangeRoutes } from '#server/areas/appointments/whole-days/routes.ts'
import { appointmentTypeRoutes } from '#server/areas/availability/appointment-types/routes.ts'
import { holidayRoutes } from '#server/areas/availability/holidays/routes.ts'
import { locationRoutes } from '#server/areas/availability/locations/routes.ts'
import { availabilityRoutes } from '#server/areas/availability/opening-hours/routes.ts'
import { pageProblemRoutes } from '#server/areas/availability/page-problems/routes.ts'
import { specialDaysRoutes } from '#server/areas/availability/special-days/routes.ts'
import { customerRoutes } from '#server/areas/customers/routes.ts'
import { customerSessionRoutes } from '#server/areas/customers/session-routes.ts'
import type { CustomerSessionDeps } from '#server/areas/customers/session-use-cases.ts'
import type { ExternalCalendarsDeps } from '#server/areas/external-calendars/connections/deps.ts'
import { externalCalendarRoutes } from '#server/areas/external-calendars/connections/routes.ts'
import { calendarWebhookRoutes } from '#server/areas/external-calendars/connections/webhook-routes.ts'
import type { AppointmentEventsDeps } from '#server/areas/external-calendars/events/deps.ts'
import { externalChangeRoutes } from '#server/areas/external-calendars/events/routes.ts'
import { calendarFeedRoutes } from '#server/areas/external-calendars/feeds/routes.ts'
import type { CalendarFeedsDeps } from '#server/areas/external-calendars/feeds/use-cases.ts'
import { paymentRoutes } from '#server/areas/payments/accounts/routes.ts'
import type { PaymentsDeps } from '#server/areas/payments/accounts/use-cases.ts'
import type { CheckoutsDeps } from '#server/areas/payments/checkouts/find-payment-account.ts'
import { checkoutRoutes } from '#server/areas/payments/checkouts/routes.ts'
import { webhookRoutes } from '#server/areas/payments/checkouts/webhook-routes.ts'
import { billingRoutes } from '#server/areas/plans/billing/routes.ts'
import { billingWebhookRoutes } from '#server/areas/plans/billing/webhook-routes.ts'
import type { WaitingActionsDeps } from '#server/areas/waiting-list/deps.ts'
import { ownerWaitingRoutes } from '#server/areas/waiting-list/owner-routes.ts'
import { waitingRoutes } from '#server/areas/waiting-list/routes.ts'
import { contactRoutes } from '#server/messages/contact/routes.ts'
import type { ContactDeps } from '#server/messages/contact/use-cases.ts'
import type { MessagesDeps } from '#server/messages/queue/owner-use-cases.ts'
import { recipientRoutes } from '#server/messages/queue/recipient-routes.ts'
import type { RecipientsDeps } from '#server/messages/queue/recipient-use-cases.ts'
import { messageRoutes } from '#server/messages/queue/routes.ts'
import { buildGetPublicCaller, buildOwnerGuard } from '#server/platform/auth/owner-id.ts'
import type { BillingProvider } from '#server/ports/billing-provider.ts'
import { appointmentRoutes } from '#server/records/appointments/routes.ts'
import { brandingRoutes } from '#server/records/branding/routes.ts'
import type { BrandingDeps } from '#server/records/branding/use-cases.ts'
import type { DuplicationDeps } from '#server/records/calendars/duplicate-calendar.ts'
import { calendarRoutes } from '#server/records/calendars/routes.ts'
import { appointmentHistoryRoutes } from '#server/records/history/routes.ts'
import { transactionRoutes } from '#server/records/ledger/routes.ts'
import { peopleRoutes } from '#server/records/people/routes.ts'
import { questionRoutes } from '#server/records/questions/routes.ts'
import { refusalRoutes } from '#server/records/refusals/routes.ts'
import { settingHistoryRoutes } from '#server/records/setting-history/routes.ts'
import { slotRoutes } from '#server/records/slots/routes.ts'
import { subscriptionRoutes } from '#server/records/subscription/routes.ts'
import { refuseRecordsOfOtherCalendars } from './requested-record.ts'
import { registerMailbox } from './sandbox.ts'

export type RouteDeps = CustomerBookingDeps &
  CheckoutsDeps &
  DuplicationDeps &
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
    /** URL of the DNS stand-in's page; null when real DNS is used. */
    readonly dnsPageUrl: string | null
    /** Returns the installation's current data for the pages. */
    readonly site: () => SitePageData
    /** The billing provider; null when no plans are for sale. */
    readonly billing: BillingProvider | null
  }

/** Registers every operation of the API. The mailbox exists only in sandboxes. */
export async function registerRoutes(app: FastifyInstance, deps: RouteDeps): Promise<void> {
  const signedIn = buildOwnerGuard(deps.auth)
  const callerOf = buildGetPublicCaller(deps.auth)
  refuseRecordsOfOtherCalendars(app, deps)
  await app.register(calendarRoutes(deps, signedIn))
  await app.register(peopleRoutes(deps, signedIn))
  await app.register(hostRoutes(deps))
  await app.register(addressRoutes(deps, signedIn))
  await app.register(brandingRoutes(deps, signedIn))
  await app.register(appointmentTypeRoutes(deps, signedIn))
  await app.register(locationRoutes(deps, signedIn))
  await app.register(availabilityRoutes(deps, signedIn))
  await app.register(specialDaysRoutes(deps, signedIn))
  await app.register(holidayRoutes(deps, signedIn))
  await app.register(pageProblemRoutes(deps, signedIn))
  await app.register(questionRoutes(deps, signedIn))
  await app.register(slotRoutes(deps))
  await app.register(bookingRoutes(deps, callerOf))
  await app.register(publicSeriesRoutes(deps))
  await app.register(checkoutRoutes(deps, callerOf))
  await app.register(emailConfirmationRoutes(deps))
  await app.register(managedAppointmentRoutes(deps))
  await app.register(customerSessionRoutes(deps))
  await app.register(customerMoveRoutes(deps))
  await app.register(cancellationRoutes(deps))
  await app.register(webhookRoutes(deps))
  await app.register(waitingRoutes(deps))
  await app.register(ownerWaitingRoutes(deps, signedIn))
  await app.register(ownerBookingRoutes(deps, signedIn))
  await app.register(seriesRoutes(deps, signedIn))
  await app.register(testAppointmentRoutes(deps, signedIn))
  await app.register(contactRoutes(deps))
  await app.register(customerRoutes(deps, signedIn))
  await app.register(appointmentRoutes(deps, signedIn))
  await app.register(appointmentActionRoutes(deps, signedIn))
  await app.register(appointmentMoveRoutes(deps, signedIn))
  await app.register(manyChangeRoutes(deps, signedIn))
  await app.register(appointmentHistoryRoutes(deps, signedIn))
  await app.register(refusalRoutes(deps, signedIn))
  await app.register(settingHistoryRoutes(deps, signedIn))
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
  await app.register(setupRoutes(deps, signedIn))
  await app.register(securityRoutes(deps, signedIn))
  await app.register(externalCalendarRoutes(deps, signedIn))
  await app.register(calendarWebhookRoutes(deps))
  if (deps.sandbox) await registerMailbox(app, deps)
  const { dnsPageUrl } = deps
  if (dnsPageUrl !== null) {
    app.get('/sandbox/dns', { schema: { hide: true } }, (_request, reply) => reply.redirect(dnsPageUrl, 302))
  }
}
