import type { Screen } from './screen.ts'

/** The mailbox of development and the gallery of messages. */
export const MAIL_SCREENS: readonly Screen[] = [
  { name: 'mailbox', path: '/sandbox/mail', sees: 'Mailbox' },
  {
    name: 'mailbox-mail',
    path: '/sandbox/mail',
    sees: /^Attachments?|From|To/,
    does: (page) => page.getByRole('main').getByRole('list').first().getByRole('button').first().click(),
  },
  { name: 'gallery', path: '/sandbox/mail/gallery', sees: 'Booking confirmation' },
  {
    name: 'gallery-long',
    path: '/sandbox/mail/gallery?message=booking-confirmation&scene=long',
    sees: 'Messages',
  },
]
