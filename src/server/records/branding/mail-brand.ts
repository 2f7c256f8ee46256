/** A base64 PNG of at most 400 × 160 pixels, shown at half that size. */
export type MailLogo = { readonly content: string; readonly width: number; readonly height: number }

/** The branding of a calendar in its emails. Source: rule K10. */
export type MailBrand = {
  /** The primary colour, `#rrggbb`; null while the owner has chosen none. */
  readonly color: string | null
  readonly logo: MailLogo | null
}
