import { beforeAll, expect, test } from 'vitest'
import { meridian, setUpMeridian } from '#tests/support/fixtures.ts'
import { makeCalendar, makeOwner } from '#tests/support/meridian.ts'
import { readOpenApiDocument } from '#tests/support/open-api.ts'
import { type RawResponse, sendRawRequest } from '#tests/support/raw-request.ts'
import { toPageTemplate } from './page-templates.ts'
import { registerPages } from './pages.ts'

let port: number
let slug: string
/** The rendered pages, as `entry path`. */
const drawn: string[] = []

setUpMeridian({
  extend: async (app, deps) =>
    registerPages(app, {
      ...deps,
      templates: async () => toPageTemplate('<html><head><!--page-head--></head></html>'),
      renderer: async (entry, path) => {
        drawn.push(`${entry} ${path}`)
        return { html: '', css: '' }
      },
    }),
})
beforeAll(async () => {
  ;({ slug } = await makeCalendar(meridian, await makeOwner(meridian)))
  port = Number(new URL(await meridian.app.listen({ host: '127.0.0.1', port: 0 })).port)
})

test('a page is drawn as itself, however its address is written', async () => {
  for (const target of ['/pricing', '/%70ricing', 'http://localhost:3000/pricing?a=b']) {
    expect((await ask(target)).status).toBe(200)
    expect(drawn.splice(0)).toEqual(['site /pricing'])
  }
  for (const target of [`/book/${slug}`, `/%62ook/${slug}`, `http://localhost:3000/book/${slug}`]) {
    expect((await ask(target)).status).toBe(200)
    expect(drawn.splice(0)).toEqual([`booking /book/${slug}`])
  }
})

test('a page with a slash at its end leads to itself on this host, whatever host its address names', async () => {
  const { status, headers } = await ask('http://localhost:9/pricing/?a=b')
  expect([status, headers.location]).toEqual([308, '/pricing?a=b'])
})

test.each(['/api/nothing', '/%61pi/nothing', 'http://localhost:3000/%61pi/nothing'])(
  'where the API has nothing (%s), there is a problem and no page',
  async (target) => {
    const { status, headers } = await ask(target)
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
      'no-store',
    ])
  },
)

test('every operation says of its answer that nobody keeps it, however its address is written', async () => {
  const asked = readOpenApiDocument(meridian.app).operations.filter(({ method }) => method === 'GET')
  expect(asked.length).toBeGreaterThan(20)
  for (const { path } of asked) {
    const target = path.replace(/^\/api/, '/%61%70i').replaceAll(/\{\w+\}/g, 'x')
    const { headers } = await ask(target)
    expect([target, headers['cache-control']]).toEqual([target, expect.stringContaining('no-store')])
    expect([target, headers['content-security-policy']]).toEqual([
      target,
      expect.stringContaining("default-src 'none'"),
    ])
  }
})

function ask(target: string): Promise<RawResponse> {
  return sendRawRequest(port, [`GET ${target} HTTP/1.1`, 'Host: localhost:3000', 'Connection: close', '', ''])
}
