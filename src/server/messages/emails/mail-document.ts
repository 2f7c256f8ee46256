import type { AppointmentTime } from '#server/records/appointments/appointment-time.ts'
import type { MailBranding } from '#server/records/branding/to-branding.ts'

/** A label and its value, which may have several lines, such as an address. */
export type MailDetail = {
  readonly label: string
  readonly lines: readonly string[]
  /** A link for the value: `mailto:` or `tel:`. */
  readonly href?: string
}

export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | {
      readonly kind: 'time'
      readonly time: AppointmentTime
      /** The time on the other person's clock, if the clocks differ. */
      readonly elsewhere: string | null
      /** True for a cancelled time, which is struck through. */
      readonly cancelled: boolean
    }
  | { readonly kind: 'facts'; readonly facts: readonly MailDetail[] }
  | { readonly kind: 'notes'; readonly label: string; readonly lines: readonly string[] }
  | {
      /** The main action of the email. */
      readonly kind: 'button'
      readonly label: string
      readonly url: string
      /**
       * True when the URL is also shown as text, because the reader needs the link to continue, and some mail clients
       * break buttons.
       */
      readonly spelledOut: boolean
    }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }
  | {
      /** Several links of equal rank below a label, such as the calendars that an appointment can be added to. */
      readonly kind: 'choices'
      readonly label: string
      readonly choices: readonly { readonly label: string; readonly url: string }[]
    }

/** Says how many more there are than an email lists; nothing when it lists all. */
export function countUnlisted(total: number, listed: number): MailBlock[] {
  return total > listed ? [{ kind: 'paragraph', text: `And ${total - listed} more.` }] : []
}

/**
 * The content of an email, from which both HTML and plain text are rendered, so that neither can omit anything. Typed
 * text has been sanitized by `entered-text.ts`.
 */
export type MailDocument = {
  /** The name at the top of the email: the calendar's or the product's. */
  readonly masthead: string
  /** The calendar's colour, `#rrggbb`; null for account emails. */
  readonly color: string | null
  /** The branding to show; absent for emails by the product itself, and if none is shown. */
  readonly brand?: MailBranding | null | undefined
  readonly heading: string
  /** The text that an inbox shows after the subject. */
  readonly preview: string
  readonly blocks: readonly MailBlock[]
  readonly footer: readonly string[]
}
