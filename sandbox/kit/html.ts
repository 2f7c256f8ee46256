import { escapeHtml } from '#server/platform/http/plain-page.ts'

/** Escaped HTML. Only the template tag `html` creates it. */
export type Html = { readonly html: string }

type Filling = string | number | Html | readonly Html[]

/** Builds HTML from a template. Escapes every value that is not `Html`. */
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
