import type { OutgoingMail } from '#server/ports/mailer.ts'
import { PROVIDER_LABELS } from './calendar-expired-mail.ts'
import { toIsolatedName, toSingleLine } from './entered-text.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toMailFromInstallation } from './to-mail-from-installation.ts'

type Input = {
  readonly deliveryId: string
  readonly owner: { readonly name: string; readonly email: string }
  readonly provider: keyof typeof PROVIDER_LABELS
  readonly accountName: string
  /** The problem, as a sentence. */
  readonly problem: string | null
  /** The names of the calendars that use the account. */
  readonly calendarNames: readonly string[]
  /** URL of the page where the owner sees the state of the account. */
  readonly settingsUrl: string
}

/**
 * Tells an owner that an external calendar account cannot be read although its credentials are valid. Source: rule G17.
 */
export function buildCalendarTrouble(input: Input, origin: MailOrigin): OutgoingMail {
  const provider = PROVIDER_LABELS[input.provider]
  const account = toIsolatedName(input.accountName)
  const facts = [
    ...(input.problem === null ? [] : [{ label: 'Problem', lines: [toSingleLine(input.problem)] }]),
    ...(input.calendarNames.length === 0
      ? []
      : [{ label: 'Used by', lines: input.calendarNames.map(toSingleLine) }]),
  ]
  return toMailFromInstallation(
    {
      idParts: [input.deliveryId, 'calendar-trouble'],
      to: { name: input.owner.name, address: input.owner.email },
      calendar: null,
      about: account,
      heading: 'We can’t read your calendar',
      preview: `We can’t read ${account} right now.`,
      blocks: [
        { kind: 'paragraph', text: `We can’t read your account ${account} (${provider}) right now.` },
        ...(facts.length === 0 ? [] : [{ kind: 'facts' as const, facts }]),
        {
          kind: 'paragraph',
          text: 'Until we can, we only know what was in it at the last sync. After a day, or right away if you chose that, we stop offering times to customers. We keep trying. If the calendar was deleted or moved, or is no longer shared with you, please choose another one.',
        },
        { kind: 'button', label: 'Open the settings', url: input.settingsUrl, spelledOut: false },
      ],
      footer: `You are receiving this because you connected ${account} to your calendars.`,
    },
    origin,
  )
}
