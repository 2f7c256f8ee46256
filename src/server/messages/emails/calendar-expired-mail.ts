import type { OutgoingMail } from '#server/ports/mailer.ts'
import { toIsolatedName, toSingleLine } from './entered-text.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toMailFromInstallation } from './to-mail-from-installation.ts'

/** Display names of the calendar providers. */
export const PROVIDER_LABELS = {
  google: 'Google Calendar',
  microsoft: 'Microsoft 365',
  caldav: 'CalDAV',
  ics: 'calendar address',
} as const

type Input = {
  readonly deliveryId: string
  readonly owner: { readonly name: string; readonly email: string }
  readonly provider: keyof typeof PROVIDER_LABELS
  readonly accountName: string
  /** The names of the calendars that use the account. */
  readonly calendarNames: readonly string[]
  /** URL of the page where the owner can reconnect the account. */
  readonly reconnectUrl: string
}

/** Tells an owner that access to an external calendar account has expired, and the consequences. Source: rule G17. */
export function buildCalendarExpired(input: Input, origin: MailOrigin): OutgoingMail {
  const provider = PROVIDER_LABELS[input.provider]
  const account = toIsolatedName(input.accountName)
  const calendars = input.calendarNames.map(toSingleLine)
  return toMailFromInstallation(
    {
      idParts: [input.deliveryId, 'calendar-expired'],
      to: { name: input.owner.name, address: input.owner.email },
      calendar: null,
      about: account,
      heading: 'Please reconnect your calendar',
      preview: `We can no longer access ${account} at ${provider}.`,
      blocks: [
        {
          kind: 'paragraph',
          text: `We can no longer access your ${provider} account ${account}. Access may have been revoked, the password may have changed, or the connection may have expired. Only you can restore it.`,
        },
        ...(calendars.length === 0
          ? []
          : [{ kind: 'facts' as const, facts: [{ label: 'Used by', lines: calendars }] }]),
        {
          kind: 'paragraph',
          text: 'Until then, we only know what was in it at the last sync. After a day, or right away if you chose that, we stop offering times to customers. We keep new appointments and add them to your calendar once you reconnect.',
        },
        { kind: 'button', label: 'Reconnect', url: input.reconnectUrl, spelledOut: false },
      ],
      footer: `You are receiving this because you connected ${account} to your calendars.`,
    },
    origin,
  )
}
