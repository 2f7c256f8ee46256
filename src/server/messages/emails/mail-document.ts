import type { AppointmentTime } from '#server/records/appointments/appointment-time.ts'
import type { MailBrand } from '#server/records/branding/mail-brand.ts'

/** A label and its value; several lines where the value has several, an address for example. */
export type MailDetail = {
  readonly label: string
  readonly lines: readonly string[]
  /** The effect of a tap: write to the address, call the number. */
  readonly href?: string
}

export type MailBlock =
  | { readonly kind: 'paragraph'; readonly text: string }
  | {
      readonly kind: 'time'
      readonly time: AppointmentTime
      /** The time on the other person's clock, when that reads differently. */
      readonly elsewhere: string | null
      /** A cancelled time is struck through. */
      readonly cancelled: boolean
    }
  | { readonly kind: 'facts'; readonly facts: readonly MailDetail[] }
  | { readonly kind: 'notes'; readonly label: string; readonly lines: readonly string[] }
  | {
      /** The one thing to do next. */
      readonly kind: 'button'
      readonly label: string
      readonly url: string
      /** Shows the address as well, for people whose mail client breaks buttons and who need the link to continue. */
      readonly spelledOut: boolean
    }
  | { readonly kind: 'link'; readonly label: string; readonly url: string }

/**
 * What a message says, before it is HTML or plain text. Both are made from this, so neither can say less than the
 * other. Text that people typed has been through `typed-text.ts`.
 */
export type MailDocument = {
  /** The sender in the head of the message: the calendar's name, or the product's. */
  readonly masthead: string
  /** The calendar's colour, `#rrggbb`; null for messages about an account. */
  readonly color: string | null
  /** Absent for messages of the product itself, and where no look is shown. */
  readonly brand?: MailBrand | null | undefined
  readonly heading: string
  /** What an inbox shows behind the subject. */
  readonly preview: string
  readonly blocks: readonly MailBlock[]
  readonly footer: readonly string[]
}
