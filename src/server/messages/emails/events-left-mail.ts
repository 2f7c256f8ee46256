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
      heading: 'Appointment events are still in your calendar',
      preview: `We couldn’t remove all events from ${account}.`,
      blocks: [
        {
          kind: 'paragraph',
          text: `You disconnected ${account} (${PROVIDER_LABELS[input.provider]}) and asked us to remove your appointments’ events from it. The account didn’t let us remove all of them, so some are still there. The account itself is disconnected.`,
        },
        {
          kind: 'paragraph',
          text: 'Please delete these events yourself. Your appointments here aren’t affected.',
        },
      ],
      footer: `You are receiving this because you disconnected ${account} from your calendars.`,
    },
    origin,
  )
}
