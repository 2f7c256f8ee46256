import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { renderPage, toPageTemplate } from './page-templates.ts'

const TEMPLATE = toPageTemplate('<head><!--page-head--></head><body><!--page-data--></body>')

test('a name with markup cannot leave the title or an attribute', () => {
  const { html } = renderPage(TEMPLATE, {
    title: '</title><script>alert(1)</script>',
    description: '"><img src=x onerror=alert(1)>',
    url: 'https://example.org/book/a',
  })
  expect(html).not.toContain('<script>')
  expect(html).not.toContain('<img')
  expect(html).toContain('<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>')
})

test('inlined data cannot end its script element and reads back as it was', () => {
  const json = { name: '</script><script>alert(1)</script>', line: 'a\u2028b', dollar: "$& $' $1" }
  const { html } = renderPage(TEMPLATE, { title: 'x', description: 'y' }, { data: { id: 'page-data', json } })
  expect(html.match(/<\/script>/g)).toHaveLength(1)
  const text = html.match(/<script type="application\/json" id="page-data">(.*)<\/script>/)?.[1] ?? ''
  expect(JSON.parse(text)).toEqual(json)
})

test('a page that is nobody else’s business has no link preview and is not indexed', () => {
  const { html } = renderPage(TEMPLATE, { title: 'x', description: 'y', noIndex: true })
  expect(html).not.toContain('og:')
  expect(html).toContain('<meta name="robots" content="noindex" />')
})

test('elements that the build put into the page are let in, and none that came with the data', () => {
  const template = toPageTemplate(
    '<head><script>theme()</script><!--page-head--><style>a{}</style></head><body><!--page-body--></body>',
  )
  const body = { html: '<p>hello</p><script>planted()</script><style>b{}</style>', css: 'c{}' }
  const { elements } = renderPage(template, { title: 'x', description: 'y' }, { body })
  const hash = (text: string) => createHash('sha256').update(text).digest('base64')
  expect(elements).toEqual([
    { name: 'script', hash: hash('theme()') },
    { name: 'style', hash: hash('a{}') },
    { name: 'style', hash: hash('c{}') },
  ])
})
