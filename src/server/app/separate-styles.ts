export type StyledHtml = {
  readonly html: string
  /** The rules for the elements of `html`; empty when no element has a style of its own. */
  readonly css: string
}

/**
 * Moves `style` attributes, which the Content-Security-Policy forbids in HTML, into rules that can be allowed by their
 * hash. It works on HTML that React has written: React escapes quotes everywhere, so the pattern matches tags only, and
 * in the browser React leaves existing elements alone. A style that could reach beyond its own element is left out.
 */
export function separateStyles(html: string): StyledHtml {
  const rules = new Map<string, string>()
  const marked = html.replace(/ style="([^"]*)"/g, (_attribute, style: string) => {
    if (!/^[\w\s#%().,:;+*-]*$/.test(style)) return ''
    const mark = rules.get(style) ?? String(rules.size + 1)
    rules.set(style, mark)
    return ` data-style="${mark}"`
  })
  const css = [...rules].map(([style, mark]) => `[data-style="${mark}"]{${style}}`).join('')
  return { html: marked, css }
}
