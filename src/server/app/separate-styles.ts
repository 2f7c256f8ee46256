export type StyledHtml = {
  readonly html: string
  /** The rules for the elements of `html`; empty when none has a style of its own. */
  readonly css: string
}

/**
 * Moves `style` attributes, which the Content-Security-Policy forbids in HTML, into rules that can be allowed by their
 * hash. For HTML that React has written: it escapes quotes everywhere, so the pattern is found in tags only, and in the
 * browser it leaves alone what it finds. A style that could say more than its own element's looks is left out.
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
