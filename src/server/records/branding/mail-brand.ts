/** A PNG of at most 400 by 160 pixels, in base64. It is shown at half its size. */
export type MailLogo = { readonly content: string; readonly width: number; readonly height: number }

/** The look of a calendar in its messages. Source: rule K10. */
export type MailBrand = {
  /** The primary colour, `#rrggbb`; null while the owner has chosen none. */
  readonly color: string | null
  readonly logo: MailLogo | null
}
