import { expect, test } from 'vitest'
import { html } from './html.ts'

test('values are escaped, Html is not', () => {
  const name = `<b title="x">'&`
  const rows = [html`<td>${1}</td>`, html`<td>${name}</td>`]
  expect(html`<tr>${rows}</tr>`.html).toBe(
    '<tr><td>1</td><td>&lt;b title=&quot;x&quot;&gt;&#39;&amp;</td></tr>',
  )
})
