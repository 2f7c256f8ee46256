export type StyledHtml = {
  readonly html: string
  /** CSS rules for the elements of `html`; empty when no element has a style of its own. */
  readonly css: string
}

/**
 * Moves `style` attributes, which the Content-Security-Policy forbids, into rules that can be allowed by hash. Use it
 * only for HTML written by React: React escapes quotes everywhere, so the pattern matches only tags, and in the browser
 * React does not change existing elements. Drops styles that could affect other elements.
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
