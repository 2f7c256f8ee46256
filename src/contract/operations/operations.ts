import { profileOperations } from '#contract/accounts/profile-operations.ts'
import { registrationOperations } from '#contract/accounts/registration-operations.ts'
import { securityOperations } from '#contract/accounts/security-operations.ts'
import { sessionOperations } from '#contract/accounts/session-operations.ts'
import { setupOperations } from '#contract/accounts/setup-operations.ts'
import { domainOperations } from '#contract/addresses/domain-operations.ts'
import { hostOperations } from '#contract/addresses/host-operations.ts'
import { appointmentOperations } from '#contract/appointments/appointment-operations.ts'
import { bookingOperations } from '#contract/appointments/booking-operations.ts'
import { customerMoveOperations } from '#contract/appointments/customer-move-operations.ts'
import { customerPageOperations } from '#contract/appointments/customer-page-operations.ts'
import { emailConfirmationOperations } from '#contract/appointments/email-confirmation-operations.ts'
import { insightOperations } from '#contract/appointments/insight-operations.ts'
import { moveOperations } from '#contract/appointments/move-operations.ts'
import { questionOperations } from '#contract/appointments/question-operations.ts'
import { seriesOperations } from '#contract/appointments/series-operations.ts'
import { wholeDaysOperations } from '#contract/appointments/whole-days-operations.ts'
import { appointmentTypeOperations } from '#contract/availability/appointment-type-operations.ts'
import { holidayOperations } from '#contract/availability/holiday-operations.ts'
import { locationOperations } from '#contract/availability/location-operations.ts'
import { openingHoursOperations } from '#contract/availability/opening-hours-operations.ts'
import { pageProblemOperations } from '#contract/availability/page-problem-operations.ts'
import { specialDaysOperations } from '#contract/availability/special-days-operations.ts'
import { brandingOperations } from '#contract/calendars/branding-operations.ts'
import { calendarOperations } from '#contract/calendars/calendar-operations.ts'
import { peopleOperations } from '#contract/calendars/people-operations.ts'
import { refusalOperations } from '#contract/calendars/refusal-operations.ts'
import { settingChangeOperations } from '#contract/calendars/setting-change-operations.ts'
import { customerOperations } from '#contract/customers/customer-operations.ts'
import { externalCalendarOperations } from '#contract/external-calendars/external-calendar-operations.ts'
import { externalChangeOperations } from '#contract/external-calendars/external-change-operations.ts'
import { feedOperations } from '#contract/external-calendars/feed-operations.ts'
import { contactOperations } from '#contract/messages/contact-operations.ts'
import { messageOperations } from '#contract/messages/message-operations.ts'
import { checkoutOperations } from '#contract/payments/checkout-operations.ts'
import { paymentOperations } from '#contract/payments/payment-operations.ts'
import { transactionOperations } from '#contract/payments/transaction-operations.ts'
import { webhookOperations } from '#contract/payments/webhook-operations.ts'
import { subscriptionOperations } from '#contract/plans/subscription-operations.ts'
import { slotOperations } from '#contract/slots/slot-operations.ts'
import { waitingListOperations } from '#contract/waiting-list/waiting-list-operations.ts'

/** Every operation of the API. */
export const OPERATIONS = {
  ...calendarOperations,
  ...peopleOperations,
  ...refusalOperations,
  ...settingChangeOperations,
  ...hostOperations,
  ...domainOperations,
  ...brandingOperations,
  ...appointmentTypeOperations,
  ...locationOperations,
  ...openingHoursOperations,
  ...specialDaysOperations,
  ...holidayOperations,
  ...pageProblemOperations,
  ...questionOperations,
  ...slotOperations,
  ...bookingOperations,
  ...seriesOperations,
  ...checkoutOperations,
  ...waitingListOperations,
  ...emailConfirmationOperations,
  ...customerPageOperations,
  ...customerMoveOperations,
  ...webhookOperations,
  ...contactOperations,
  ...customerOperations,
  ...appointmentOperations,
  ...insightOperations,
  ...moveOperations,
  ...externalChangeOperations,
  ...feedOperations,
  ...wholeDaysOperations,
  ...messageOperations,
  ...paymentOperations,
  ...transactionOperations,
  ...subscriptionOperations,
  ...profileOperations,
  ...registrationOperations,
  ...sessionOperations,
  ...securityOperations,
  ...setupOperations,
  ...externalCalendarOperations,
}

type Operations = typeof OPERATIONS

/** The operations by method and path. The browser's requests take their request and response types from it. */
export type OperationsByAddress = {
  readonly [Name in keyof Operations as Operations[Name]['address']]: Operations[Name]
}
