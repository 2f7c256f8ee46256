import { escapeHtml } from '#server/platform/http/plain-page.ts'

/** HTML in which everything that came from outside is escaped; only `html` makes it. */
export type Html = { readonly html: string }

type Filling = string | number | Html | readonly Html[]

/** HTML from a template. What is put in is escaped, unless it is such HTML itself. */
export function html(parts: TemplateStringsArray, ...fillings: readonly Filling[]): Html {
  return {
    html: parts.reduce((text, part, index) => `${text}${toText(fillings[index - 1] ?? '')}${part}`),
  }
}

function toText(filling: Filling): string {
  if (typeof filling === 'string' || typeof filling === 'number') return escapeHtml(String(filling))
  if ('html' in filling) return filling.html
  return filling.map(toText).join('')
}
