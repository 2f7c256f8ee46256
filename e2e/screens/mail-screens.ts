import { awaited, type Screen } from './screen.ts'

const MAILS = '**/api/sandbox/mails'

/** The mailbox of development and the gallery of messages. */
export const MAIL_SCREENS: readonly Screen[] = [
  { name: 'mailbox', path: '/sandbox/mail', sees: 'Mailbox' },
  {
    name: 'mailbox-mail',
    path: '/sandbox/mail',
    sees: /^Attachments?|From|To/,
    does: (page) => page.getByRole('main').getByRole('list').first().getByRole('button').first().click(),
  },
  {
    name: 'mailbox-empty',
    path: '/sandbox/mail',
    answers: { [MAILS]: { json: { mails: [] } } },
    sees: /^No e?mails yet$/,
  },
  ...awaited({ name: 'mailbox', path: '/sandbox/mail' }, [MAILS], {
    loading: /^Loading e?mails\.\.\.$/,
    failed: /^Failed to load e?mails$/,
  }),
  ...awaited({ name: 'mailbox-mail', path: '/sandbox/mail?id=any' }, [`${MAILS}/*`], {
    loading: /^Loading e?mail\.\.\.$/,
    failed: /^Failed to load e?mail$/,
  }),
  { name: 'gallery', path: '/sandbox/mail/gallery', sees: 'Booking confirmation' },
  {
    name: 'gallery-long',
    path: '/sandbox/mail/gallery?message=booking-confirmation&scene=long',
    sees: 'Messages',
  },
  ...awaited({ name: 'gallery', path: '/sandbox/mail/gallery' }, ['**/api/sandbox/mail-samples'], {
    loading: 'Loading messages...',
    failed: 'Failed to load messages',
  }),
]
