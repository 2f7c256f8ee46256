import type { OutgoingMail } from '#server/ports/mailer.ts'
import { PROVIDER_LABELS } from './calendar-expired-mail.ts'
import { toIsolatedName } from './entered-text.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toMailFromInstallation } from './to-mail-from-installation.ts'

type Input = {
  readonly deliveryId: string
  readonly owner: { readonly name: string; readonly email: string }
  readonly provider: keyof typeof PROVIDER_LABELS
  readonly accountName: string
}

/**
 * Tells an owner that some events of a disconnected account could not be removed, although the owner had requested it.
 * Source: rule G20.
 */
export function buildRemainingEventsMail(input: Input, origin: MailOrigin): OutgoingMail {
  const account = toIsolatedName(input.accountName)
  return toMailFromInstallation(
    {
      idParts: [input.deliveryId, 'events-left'],
      to: { name: input.owner.name, address: input.owner.email },
      calendar: null,
      about: account,
      heading: 'Events of your appointments are still in your calendar',
      preview: `We could not remove all events from ${account}.`,
      blocks: [
        {
          kind: 'paragraph',
          text: `You disconnected ${account} (${PROVIDER_LABELS[input.provider]}) and wanted the events of your appointments removed from it. The account did not let us remove all of them, so some are still there. It is disconnected all the same.`,
        },
        {
          kind: 'paragraph',
          text: 'Please delete the events there yourself. Your appointments here stay as they are.',
        },
      ],
      footer: `You are receiving this because you disconnected ${account} from your calendars.`,
    },
    origin,
  )
}
