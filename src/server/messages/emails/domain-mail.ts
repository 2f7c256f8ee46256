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

const LINKS_STILL_WORK =
  'The booking link of this calendar works all the same, and your appointments stay as they are.'

const WORDS: Readonly<Record<DomainMailReason, (domain: string) => Words>> = {
  points_elsewhere: (domain) => ({
    heading: 'Your domain does not lead to your booking page',
    preview: `${domain} does not point here any more.`,
    paragraphs: [
      `The DNS records of ${domain} do not point here any more, so customers who use it may not find your booking page.`,
      `Please set the records again as the settings show them. Until they are, links in emails lead to your booking link instead. We look again every day. If nothing changes within ${FAILING_AFTER_DAYS} days, we stop using the domain.`,
    ],
    button: 'See the records',
  }),
  failing: (domain) => ({
    heading: 'Your domain is not used any more',
    preview: `${domain} has not pointed here for ${FAILING_AFTER_DAYS} days.`,
    paragraphs: [
      `${domain} has not pointed here for ${FAILING_AFTER_DAYS} days. We do not use it any more, and links in emails go on leading to your booking link.`,
      `We keep it for you for ${FAILING_KEPT_DAYS} more days. As soon as its records are correct again, it is used again.`,
    ],
    button: 'See the records',
  }),
  released: (domain) => ({
    heading: 'Your domain was given up',
    preview: `${domain} has not pointed here for a long time.`,
    paragraphs: [
      `${domain} has not pointed here for ${FAILING_AFTER_DAYS + FAILING_KEPT_DAYS} days, so we have given it up.`,
      `You can enter it again at any time. ${LINKS_STILL_WORK}`,
    ],
    button: 'Open the settings',
  }),
  taken: (domain) => ({
    heading: 'Your domain is used by somebody else now',
    preview: `Somebody else has proven that ${domain} is theirs.`,
    paragraphs: [
      `Somebody with access to the DNS records of ${domain} has proven that it is theirs and uses it for another calendar. It does not lead to your booking page any more.`,
      `If you did not want this, check who can change your DNS records. Then enter the domain again and verify it. ${LINKS_STILL_WORK}`,
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
