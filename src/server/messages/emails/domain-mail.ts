import type { DomainStatus } from '#core/addresses/domain-status.ts'
import { FAILING_AFTER_DAYS, FAILING_KEPT_DAYS } from '#core/addresses/domain-status.ts'
import type { OutgoingMail } from '#server/ports/mailer.ts'
import { toIsolatedName } from './entered-text.ts'
import type { MailOrigin } from './mail-origin.ts'
import { toMailFromInstallation } from './to-mail-from-installation.ts'

/** The reason for an email about a domain. `taken` means that somebody else has verified the domain. */
export type DomainMailReason = NonNullable<DomainStatus['tell']> | 'taken'

type Input = {
  readonly deliveryId: string
  readonly owner: { readonly name: string; readonly email: string }
  readonly calendarName: string
  readonly domain: string
  readonly occasion: DomainMailReason
  /** URL of the page where the owner sees the DNS records. */
  readonly settingsUrl: string
}

type Words = {
  readonly heading: string
  readonly preview: string
  readonly paragraphs: readonly string[]
  readonly button: string
}

const LINKS_STILL_WORK = 'This calendar’s booking link still works, and your appointments aren’t affected.'

const WORDS: Readonly<Record<DomainMailReason, (domain: string) => Words>> = {
  points_elsewhere: (domain) => ({
    heading: 'Your domain no longer points to your booking page',
    preview: `${domain} no longer points here.`,
    paragraphs: [
      `The DNS records of ${domain} no longer point here, so customers who use it may not find your booking page.`,
      `Please restore the records as shown in the settings. Until then, emails use your booking link instead. We check every day. If nothing changes within ${FAILING_AFTER_DAYS} days, we’ll stop using the domain.`,
    ],
    button: 'View the records',
  }),
  failing: (domain) => ({
    heading: 'Your domain is no longer used',
    preview: `${domain} has not pointed here for ${FAILING_AFTER_DAYS} days.`,
    paragraphs: [
      `${domain} has not pointed here for ${FAILING_AFTER_DAYS} days. We no longer use it, and emails keep using your booking link.`,
      `We’ll reserve it for you for ${FAILING_KEPT_DAYS} more days and use it again as soon as its records are correct.`,
    ],
    button: 'View the records',
  }),
  released: (domain) => ({
    heading: 'Your domain was removed',
    preview: `${domain} has not pointed here for a long time.`,
    paragraphs: [
      `${domain} has not pointed here for ${FAILING_AFTER_DAYS + FAILING_KEPT_DAYS} days, so we’ve removed it.`,
      `You can add it again at any time. ${LINKS_STILL_WORK}`,
    ],
    button: 'Open the settings',
  }),
  taken: (domain) => ({
    heading: 'Somebody else now uses your domain',
    preview: `Somebody else has verified ${domain}.`,
    paragraphs: [
      `Somebody with access to the DNS records of ${domain} has verified it for another calendar. It no longer points to your booking page.`,
      `If you didn’t expect this, check who can change your DNS records. Then add the domain again and verify it. ${LINKS_STILL_WORK}`,
    ],
    button: 'Open the settings',
  }),
}

/** Tells an owner that the state of a calendar's domain has changed. Source: rules I10 and I11. */
export function buildDomainMail(input: Input, origin: MailOrigin): OutgoingMail {
  const { heading, preview, paragraphs, button } = WORDS[input.occasion](toIsolatedName(input.domain))
  return toMailFromInstallation(
    {
      idParts: [input.deliveryId, 'domain'],
      to: { name: input.owner.name, address: input.owner.email },
      calendar: null,
      about: toIsolatedName(input.calendarName),
      heading,
      preview,
      blocks: [
        ...paragraphs.map((text) => ({ kind: 'paragraph' as const, text })),
        { kind: 'button', label: button, url: input.settingsUrl, spelledOut: false },
      ],
      footer: `You are receiving this because ${toIsolatedName(input.domain)} was the address of your calendar ${toIsolatedName(input.calendarName)}.`,
    },
    origin,
  )
}
