/**
 * What a feature offers others besides its `use-cases.ts`. Everything else is its own business. Nothing is exported twice, so
 * a reader who follows an import is where the function is. `import-rules.test.ts` finds entries that nobody needs.
 */
export const PUBLIC_FILES: Readonly<Record<string, readonly string[]>> = {
  // The record of appointments, and the ledger of payments: others read and write them in transactions of their own.
  appointments: [
    'awaited-email-repository.ts',
    'details-repository.ts',
    'hold-repository.ts',
    'new-appointment-repository.ts',
    'state-repository.ts',
    'taken-time-repository.ts',
    'to-mail-facts.ts',
    'to-public-appointment.ts',
  ],
  transactions: ['ledger-repository.ts'],
  'appointment-actions': ['accept-payment.ts'],
  bookings: [
    'accept-customer-booking.ts',
    'answer-once.ts',
    'answer-repository.ts',
    'booking-budgets.ts',
    'caller-repository.ts',
    'deps.ts',
    'insert-booking.ts',
    'queue-mails.ts',
    'refuse-programs.ts',
    'refuse-taken-time.ts',
    'repository.ts',
  ],
  calendars: ['to-reminder-settings.ts', 'to-calendar.ts'],
  'external-calendars': ['access-use-cases.ts', 'deps.ts'],
  holds: ['to-holder.ts', 'repository.ts'],
  // Building a mail is pure, so its builders are as public as use cases.
  mail: [
    'account-mail.ts',
    'appointment-facts.ts',
    'appointment-mail.ts',
    'cancellation-mail.ts',
    'contact-mail.ts',
    'customer-facts.ts',
    'delivery-mail.ts',
    'email-code-mail.ts',
    'mail-origin.ts',
    'money-left-mail.ts',
    'payment-mail.ts',
    'reminder-mail.ts',
  ],
  messages: [
    'to-email-code.ts',
    'recipient-use-cases.ts',
    'refuse-unreachable.ts',
    'repository.ts',
    'sender-repository.ts',
    'take-mail-budgets.ts',
  ],
  payments: ['repository.ts'],
  registrations: ['repository.ts'],
  security: ['prove-identity.ts'],
  sessions: ['deps.ts'],
  slots: ['external-repository.ts', 'repository.ts', 'times-repository.ts'],
}
