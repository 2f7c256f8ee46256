/** How the booking page is shown in a website (rule W18). */
export type EmbedForm = 'inline' | 'button' | 'float'

type Embedded = {
  readonly form: EmbedForm
  /** Of this installation, without a slash at its end. */
  readonly origin: string
  readonly slug: string
  /** `#rrggbb`, of the button. */
  readonly color: string
}

/**
 * The code that an owner puts into a website. The link is that of the path, which works for as long as the calendar does, whatever its
 * other addresses become.
 */
export function toEmbedSnippet({ form, origin, slug, color }: Embedded): string {
  const look = form === 'inline' ? '' : ` data-color="${color}"`
  return [
    `<a href="${origin}/book/${slug}" data-meridian="${form}"${look}>Book an appointment</a>`,
    `<script src="${origin}/embed.js" async></script>`,
  ].join('\n')
}
