import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Branding, Logo, PublicBranding } from '#contract/calendars/branding.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import { calendarColors } from '#core/calendars/page-colors.ts'
import { buildOwnerUrlFetcher } from '#server/platform/http/fetch-owner-url.ts'
import { toAllowedNetworks } from '#server/platform/http/reachable-networks.ts'
import { meridian, owner, setUpOwner } from '#tests/support/fixtures.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { makeCalendar, makeOwner, startMeridian } from '#tests/support/meridian.ts'

setUpOwner({ owner: { tier: 'enterprise' } })

const DEFAULTS = {
  logo_url: '',
  logo: null,
  own_colors: false,
  primary_color: '#3B82F6',
  secondary_color: '#10B981',
  custom_css: '',
  welcome_message: '',
  footer_text: '',
}
const SQUARE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" fill="#c00"/></svg>'

test('a new calendar has the default look, and is shown in its own colour. Source: rule K1', async () => {
  const calendar = await makeCalendar(meridian, owner, { color: '#8e44ad' })
  expect(await getBranding(calendar.id)).toEqual(DEFAULTS)
  expect(await getPublic(calendar.slug)).toEqual({
    colors: calendarColors('#8e44ad'),
    logo: null,
    welcome_html: '',
    footer_html: '',
    stylesheet: null,
  })
})

test('everything is saved by one operation, and visitors get it drawn. Source: rule K1', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const logo = await upload(calendar.id, Buffer.from(SQUARE))
  const saved = await change(calendar.id, {
    logo_hash: logo.hash,
    primary_color: '#ffff00',
    secondary_color: '#112233',
    custom_css: 'h1 { color: teal }',
    welcome_message: 'Hello **you** <b>x</b>',
    footer_text: '- [way](https://practice.example)',
  })
  expect(saved).toMatchObject({ logo, primary_color: '#ffff00', custom_css: 'h1 { color: teal }' })
  expect(await getBranding(calendar.id)).toEqual(saved)

  const shown = await getPublic(calendar.slug)
  expect(shown.colors).toMatchObject({ '--noon': '#ffff00', '--on-noon': '#000000', '--accent': '#112233' })
  expect(shown.logo).toEqual(logo)
  expect(shown.welcome_html).toBe('<p>Hello <strong>you</strong> &lt;b&gt;x&lt;/b&gt;</p>')
  expect(shown.footer_html).toContain('rel="noopener nofollow ugc"')

  const style = await meridian.get(shown.stylesheet ?? '')
  expect(style.headers['content-type']).toBe('text/css; charset=utf-8')
  expect(style.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(style.body).toContain('[data-look] h1')
  expect(shown.stylesheet).toContain(createHash('sha256').update(style.body).digest('hex'))
})

test('what another window changed meanwhile is not overwritten unseen. Source: rule X4', async () => {
  const calendar = await makeCalendar(meridian, owner)
  await change(calendar.id, { footer_text: 'one' })
  const late = await patch(calendar.id, { footer_text: 'two', was: { footer_text: '' } })
  expect(late.json().code).toBe('request.changed_meanwhile')
  const logo = await upload(calendar.id, Buffer.from(SQUARE))
  await change(calendar.id, { logo_hash: logo.hash, was: { logo_hash: null } })
  expect((await patch(calendar.id, { logo_hash: null, was: { logo_hash: null } })).statusCode).toBe(409)
})

test('a look that is set back to its defaults is no look: the calendar has its own colour again', async () => {
  const calendar = await makeCalendar(meridian, owner, { color: '#8e44ad' })
  await change(calendar.id, { primary_color: '#123456' })
  await change(calendar.id, { primary_color: DEFAULTS.primary_color, own_colors: false })
  expect((await getPublic(calendar.slug)).colors).toEqual(calendarColors('#8e44ad'))
})

test('texts and a logo leave the colours of the page as they are, until a colour is chosen. Source: rule K1', async () => {
  const calendar = await makeCalendar(meridian, owner, { color: '#8e44ad' })
  const logo = await upload(calendar.id, Buffer.from(SQUARE))
  expect(await change(calendar.id, { welcome_message: 'Hello', logo_hash: logo.hash })).toMatchObject({
    own_colors: false,
    primary_color: '#3B82F6',
  })
  expect(await getPublic(calendar.slug)).toMatchObject({
    colors: calendarColors('#8e44ad'),
    welcome_html: '<p>Hello</p>',
  })
  expect(await change(calendar.id, { own_colors: true })).toMatchObject({ primary_color: '#3B82F6' })
  expect((await getPublic(calendar.slug)).colors).toMatchObject({ '--noon': '#3B82F6' })
  expect(await change(calendar.id, { own_colors: false, welcome_message: '' })).toMatchObject({ logo })
  expect((await getPublic(calendar.slug)).colors).toEqual(calendarColors('#8e44ad'))
  expect(await change(calendar.id, { secondary_color: '#112233' })).toMatchObject({ own_colors: true })
})

test('a look that was saved before owners could choose keeps its colours', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const stored = { welcome_message: 'Hello', primary_color: '#3B82F6', secondary_color: '#10B981' }
  await meridian.database.db
    .updateTable('calendars')
    .set({ branding_settings: JSON.stringify(stored) })
    .where('id', '=', calendar.id)
    .execute()
  expect(await getBranding(calendar.id)).toMatchObject({ own_colors: true })
  expect((await getPublic(calendar.slug)).colors).toMatchObject({ '--noon': '#3B82F6' })
})

describe('the plan. Source: rule K3', () => {
  test('without branding in it, nothing is changed, previewed or made', async () => {
    const free = await makeOwner(meridian)
    const calendar = await makeCalendar(meridian, free)
    const path = `/api/calendars/${calendar.id}/branding`
    const { cookie } = free
    expect((await meridian.as({ cookie }).get(path)).statusCode).toBe(200)
    for (const request of [
      { method: 'PATCH' as const, url: path, payload: { footer_text: 'x' } },
      { method: 'POST' as const, url: `${path}/preview`, payload: {} },
      { method: 'POST' as const, url: `${path}/logo`, payload: { file: 'AAAA' } },
    ]) {
      const answer = await meridian.request({ ...request, cookie })
      expect(answer.statusCode, request.url).toBe(402)
      expect(answer.json().code).toBe('branding.not_in_plan')
    }
  })

  test('that ends leaves the look stored and not shown, and shows it again when it is back', async () => {
    const leaving = await makeOwner(meridian, { tier: 'business' })
    const calendar = await makeCalendar(meridian, leaving)
    await change(calendar.id, { primary_color: '#123456', welcome_message: 'Hello' }, leaving)
    const endsAt = (at: Date | null) =>
      meridian.database.db
        .updateTable('subscriptions')
        .set({ ends_at: at })
        .where('user_id', '=', leaving.id)
        .execute()
    await endsAt(new Date(meridian.clock.ms))
    expect((await getPublic(calendar.slug)).welcome_html).toBe('')
    expect(await getBranding(calendar.id, leaving)).toMatchObject({ welcome_message: 'Hello' })
    await endsAt(null)
    expect((await getPublic(calendar.slug)).welcome_html).toBe('<p>Hello</p>')
  })
})

test('the look is deleted with its files, also when the plan does not have branding any more. Source: rule K3', async () => {
  const leaving = await makeOwner(meridian, { tier: 'business' })
  const calendar = await makeCalendar(meridian, leaving, { color: '#8e44ad' })
  const { cookie } = leaving
  const url = `/api/calendars/${calendar.id}/branding`
  const file = Buffer.from(SQUARE).toString('base64')
  const made = await meridian.as({ cookie }).post(`${url}/logo`, { file })
  const logo: Logo = made.json()
  await change(calendar.id, { logo_hash: logo.hash, welcome_message: 'Hello' }, leaving)
  await meridian.database.db
    .updateTable('subscriptions')
    .set({ ends_at: new Date(meridian.clock.ms) })
    .where('user_id', '=', leaving.id)
    .execute()
  expect((await meridian.get(logo.url)).statusCode).toBe(200)

  const cleared = await meridian.as({ cookie }).delete(url)
  expect([cleared.statusCode, cleared.json()]).toEqual([200, DEFAULTS])
  expect(await getBranding(calendar.id, leaving)).toEqual(DEFAULTS)
  expect((await meridian.get(logo.url)).statusCode).toBe(404)
  // Returning to a plan with branding does not restore the deleted branding.
  await meridian.database.db
    .updateTable('subscriptions')
    .set({ ends_at: null })
    .where('user_id', '=', leaving.id)
    .execute()
  expect((await getPublic(calendar.slug)).colors).toEqual(calendarColors('#8e44ad'))
  // Deleting it again succeeds.
  expect((await meridian.as({ cookie }).delete(url)).statusCode).toBe(200)
})

test('nobody sees or changes the look of another owner’s calendar', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const stranger = await makeOwner(meridian, { tier: 'business' })
  const path = `/api/calendars/${calendar.id}/branding`
  for (const sent of [
    { method: 'GET', url: path },
    { method: 'PATCH', url: path, payload: {} },
    { method: 'DELETE', url: path },
    { method: 'POST', url: `${path}/preview`, payload: {} },
    { method: 'POST', url: `${path}/logo`, payload: { file: 'AAAA' } },
  ] as const) {
    const { url } = sent
    expect((await meridian.request({ ...sent, cookie: stranger.cookie })).statusCode, url).toBe(403)
    expect((await meridian.request(sent)).statusCode, url).toBe(401)
  }
})

describe('custom CSS. Source: rules K6 and K7', () => {
  test('that cannot be used is refused with each line, and nothing of the change is saved', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const answer = await patch(calendar.id, {
      footer_text: 'x',
      custom_css: 'h1 { color: red }\n@import url(//evil.example);\nbody { color: red }',
    })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      code: 'branding.css_refused',
      errors: [
        { path: 'custom_css', message: 'Line 2: “@import” isn’t allowed.' },
        { path: 'custom_css', message: expect.stringContaining('Line 3:') },
      ],
    })
    expect(await getBranding(calendar.id)).toEqual(DEFAULTS)
  })

  test('of a megabyte is refused before anybody reads it', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const answer = await patch(calendar.id, { custom_css: 'p{color:red}'.repeat(90_000) })
    expect(answer.json().code).toBe('request.too_large')
    expect((await patch(calendar.id, { custom_css: 'x'.repeat(LIMITS.customCss + 1) })).statusCode).toBe(400)
  })

  test('is checked a limited number of times, saved or previewed together', async () => {
    const strict = await startMeridian({ env: { BUDGETS: `${GENEROUS_BUDGETS},branding_checks=2` } })
    const practice = await makeOwner(strict, { tier: 'professional' })
    const calendar = await makeCalendar(strict, practice)
    const url = `/api/calendars/${calendar.id}/branding`
    const request = { cookie: practice.cookie, payload: { custom_css: 'h1 { color: red }' } }
    const answers = [
      await strict.request({ ...request, method: 'PATCH', url }),
      await strict.request({ ...request, method: 'POST', url: `${url}/preview` }),
      await strict.request({ ...request, method: 'PATCH', url }),
      // All other settings can still be saved.
      await strict.request({ ...request, method: 'PATCH', url, payload: { footer_text: 'x' } }),
    ]
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 429, 200])
    await strict.stop()
  })

  test('of allowed length that becomes too long as it is written is refused, saved or previewed (rule K6)', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const custom_css = 'a,b{gap:0}\n'.repeat(2_900)
    const url = `/api/calendars/${calendar.id}/branding/preview`
    const preview = { method: 'POST', url, cookie: owner.cookie, payload: { custom_css } } as const
    const { css, refused } = (await meridian.request(preview)).json()
    expect([css, refused]).toEqual(['', [{ line: expect.any(Number), message: expect.any(String) }]])
    const answer = await patch(calendar.id, { custom_css })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'branding.css_refused'])
    const message = `Line ${refused[0].line}: ${refused[0].message}`
    expect(answer.json().errors).toEqual([{ path: 'custom_css', message }])
    // The lines before the refused one have exactly the allowed total length, and are accepted.
    await change(calendar.id, { custom_css: 'a,b{gap:0}\n'.repeat(refused[0].line - 1) })
  })

  test('is checked while it is typed, and nothing is saved', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const preview = (payload: object) => owner.post(`/api/calendars/${calendar.id}/branding/preview`, payload)
    const good = await preview({ custom_css: 'h1 { color: red }', welcome_message: '**a**' })
    expect(good.json()).toMatchObject({
      refused: [],
      branding: { welcome_html: '<p><strong>a</strong></p>' },
    })
    expect(good.json().css).toContain('[data-look] h1')
    const bad = await preview({ custom_css: 'h1 {\n position: fixed }' })
    expect(bad.json()).toMatchObject({ css: '', refused: [{ line: 2 }] })
    expect((await preview({ logo_hash: 'a'.repeat(64) })).json().code).toBe('branding.logo_unknown')
    expect(await getBranding(calendar.id)).toEqual(DEFAULTS)
  })
})

test('texts of 20,000 characters are taken, and one more is not. Source: rule K5', async () => {
  const calendar = await makeCalendar(meridian, owner)
  const text = 'é'.repeat(LIMITS.brandingText)
  expect((await change(calendar.id, { welcome_message: text, footer_text: text })).footer_text).toBe(text)
  expect((await patch(calendar.id, { welcome_message: `${text}x` })).statusCode).toBe(400)
})

describe('a logo that is uploaded. Source: rule K4', () => {
  test('is drawn anew, small, under its hash', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const photo = await sharp({ create: { width: 3_000, height: 1_000, channels: 3, background: '#123456' } })
      .withExif({ IFD0: { Copyright: 'a secret place' } })
      .jpeg()
      .toBuffer()
    const logo = await upload(calendar.id, photo)
    expect(logo).toMatchObject({ width: 400, height: 133, url: `/branding/${calendar.id}/${logo.hash}.png` })
    const file = await meridian.get(logo.url)
    expect(file.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect(createHash('sha256').update(file.rawPayload).digest('hex')).toBe(logo.hash)
    expect(file.rawPayload.includes('secret place')).toBe(false)
    expect((await sharp(file.rawPayload).metadata()).format).toBe('png')
  })

  test('as SVG is rasterised: its script, its links and what it would load are gone', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="100" height="40" onload="alert(1)">
      <script>alert(1)</script><rect width="100" height="40" fill="#fff"/>
      <image xlink:href="file://${join(import.meta.dirname, '../../../web/public/icon-512.png')}" width="100" height="40"/>
      <image xlink:href="http://169.254.169.254/latest" width="100" height="40"/>
      <foreignObject><html xmlns="http://www.w3.org/1999/xhtml">hi</html></foreignObject></svg>`
    const { url } = await upload(calendar.id, Buffer.from(svg))
    const { rawPayload } = await meridian.get(url)
    expect(rawPayload.toString('latin1')).not.toMatch(/script|alert|svg/)
    const { data } = await sharp(rawPayload).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    expect(
      [...data].every((channel) => channel === 255),
      'white alone: nothing was read from elsewhere',
    ).toBe(true)
  })

  test('that moves stands still: the first image of an animation', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const frame = (red: number) => Buffer.alloc(20 * 20 * 3, red)
    const gif = await sharp(Buffer.concat([frame(255), frame(0)]), {
      raw: { width: 20, height: 40, channels: 3, pageHeight: 20 },
    })
      .gif({ delay: [100, 100] })
      .toBuffer()
    expect((await sharp(gif).metadata()).pages).toBe(2)
    const logo = await upload(calendar.id, gif)
    expect(logo).toMatchObject({ width: 20, height: 20 })
    expect((await sharp((await meridian.get(logo.url)).rawPayload).metadata()).pages ?? 1).toBe(1)
  })

  test.each([
    ['a bomb of 30,000 × 30,000 pixels', () => bomb(), 'branding.logo_too_large'],
    [
      'an SVG of 30,000 × 30,000 pixels',
      async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="30000" height="30000"/>'),
      'branding.logo_too_large',
    ],
    [
      'an SVG whose entities grow',
      async () =>
        Buffer.from(
          `<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">${'bcdefgh'
            .split('')
            .map((name, at) => `<!ENTITY ${name} "${`&${'abcdefg'[at]};`.repeat(10)}">`)
            .join(
              '',
            )}]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&h;&h;</text></svg>`,
        ),
      'branding.logo_not_an_image',
    ],
    [
      'HTML named .png',
      async () => Buffer.from('<!doctype html><script>alert(1)</script>'),
      'branding.logo_not_an_image',
    ],
    ['half a PNG', async () => (await sampleIcon()).subarray(0, 900), 'branding.logo_not_an_image'],
    ['a TIFF', () => sharp({ create: BLANK }).tiff().toBuffer(), 'branding.logo_not_an_image'],
    ['a PDF', async () => Buffer.from('%PDF-1.7\n'), 'branding.logo_not_an_image'],
    ['nothing to speak of', async () => Buffer.from([0]), 'branding.logo_not_an_image'],
  ] as const)('that is %s is refused', async (_what, make, code) => {
    const calendar = await makeCalendar(meridian, owner)
    const answer = await postLogo(calendar.id, { file: (await make()).toString('base64') })
    expect(answer.json().code).toBe(code)
  })

  test('of 50 MB is refused before it is read', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const answer = await postLogo(calendar.id, { file: 'A'.repeat(50_000_000) })
    expect(answer.json().code).toBe('request.too_large')
    const over = await postLogo(calendar.id, { file: 'A'.repeat(2_800_000) })
    expect(over.statusCode).toBe(400)
  })

  test('is not shown before it is saved, and only where it was made', async () => {
    const calendar = await makeCalendar(meridian, owner)
    const other = await makeCalendar(meridian, owner)
    const logo = await upload(calendar.id, Buffer.from(SQUARE))
    expect((await getPublic(calendar.slug)).logo).toBeNull()
    expect((await patch(other.id, { logo_hash: logo.hash })).json().code).toBe('branding.logo_unknown')
  })

  test('stays while it is in use, however many are tried after it', { tags: ['slow'] }, async () => {
    const calendar = await makeCalendar(meridian, owner)
    const first = await upload(calendar.id, Buffer.from(SQUARE))
    await change(calendar.id, { logo_hash: first.hash })
    const tried: Logo[] = []
    for (let size = 1; size <= 8; size += 1) {
      meridian.clock.ms += 1_000
      tried.push(await upload(calendar.id, Buffer.from(SQUARE.replace('#c00', `#00${size}`))))
    }
    expect((await meridian.get(first.url)).statusCode).toBe(200)
    expect((await meridian.get(tried[0]?.url ?? '')).statusCode).toBe(404)
    expect((await meridian.get(tried.at(-1)?.url ?? '')).statusCode).toBe(200)
  })
})

describe('a logo at an address. Source: rule K4', () => {
  test('is fetched once when it is saved, and never by a visitor', async () => {
    const asked: string[] = []
    const { url, stop, own } = await serveLogos((request, response) => {
      asked.push(request.url ?? '')
      response.end(SQUARE)
    })
    const practice = await makeOwner(own, { tier: 'professional' })
    const calendar = await makeCalendar(own, practice)
    const path = `/api/calendars/${calendar.id}/branding`
    const { cookie } = practice
    const saved = await own.as({ cookie }).patch(path, { logo_url: `${url}/logo.svg` })
    expect(saved.json()).toMatchObject({ logo_url: `${url}/logo.svg`, logo: { width: 160, height: 160 } })
    await own.as({ cookie }).patch(path, { logo_url: `${url}/logo.svg`, footer_text: 'x' })
    await own.get(`/api/public/calendars/${calendar.slug}/branding`)
    await own.get(saved.json().logo.url)
    expect(asked).toEqual(['/logo.svg'])
    const removed = await own.as({ cookie }).patch(path, { logo_url: '' })
    expect(removed.json()).toMatchObject({ logo_url: '', logo: null })
    await stop()
  })

  test.each([
    [
      'is too large',
      (_request, response) => response.end(Buffer.alloc(LIMITS.logoBytes + 1)),
      'branding.logo_too_large',
    ],
    ['is not there', (_request, response) => response.writeHead(404).end(), 'branding.logo_unreachable'],
    [
      'is HTML named .png',
      (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<html>'),
      'branding.logo_not_an_image',
    ],
    [
      'leads on to the metadata of a cloud',
      (_request, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end(),
      'branding.logo_unreachable',
    ],
  ] as [string, RequestListener, string][])('that %s is refused', async (_what, answer, code) => {
    const { url, stop, own } = await serveLogos(answer)
    const practice = await makeOwner(own, { tier: 'professional' })
    const calendar = await makeCalendar(own, practice)
    const refused = await own
      .as(practice)
      .post(`/api/calendars/${calendar.id}/branding/logo`, { logo_url: `${url}/logo.png` })
    expect(refused.json().code).toBe(code)
    await stop()
  })

  test.each([
    'http://127.0.0.1:9/logo.png',
    'http://localhost:9/logo.png',
    'http://[::1]:9/logo.png',
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1/logo.png',
    'http://0x7f000001/logo.png',
  ])('%s leads into a private network and is not fetched', async (logo_url) => {
    // This product does not allow this machine's own network, which the sandbox does.
    const strict = await startMeridian({ fetchAddress: buildOwnerUrlFetcher({ allowedNetworks: [] }) })
    const practice = await makeOwner(strict, { tier: 'professional' })
    const calendar = await makeCalendar(strict, practice)
    const answer = await strict.as(practice).patch(`/api/calendars/${calendar.id}/branding`, { logo_url })
    expect(answer.json().code).toBe('branding.logo_unreachable')
    await strict.stop()
  })

  test.each([
    'javascript:alert(1)',
    'file:///etc/passwd',
    'data:image/png;base64,AAAA',
    'logo.png',
    'ftp://a.example/x',
  ])('%s is no address of an image', async (logo_url) => {
    const calendar = await makeCalendar(meridian, owner)
    expect((await patch(calendar.id, { logo_url })).statusCode).toBe(400)
  })
})

test.each([
  'x.png',
  `${'a'.repeat(64)}.png`,
  `${'a'.repeat(64)}.css`,
  '../../etc/passwd',
  `${'A'.repeat(64)}.png`,
])('a file %s that is not there is not found', async (file) => {
  const calendar = await makeCalendar(meridian, owner)
  expect((await meridian.get(`/branding/${calendar.id}/${encodeURIComponent(file)}`)).statusCode).toBe(404)
  expect((await meridian.get(`/branding/nobody/${encodeURIComponent(file)}`)).statusCode).toBe(404)
})

const BLANK = { width: 9, height: 9, channels: 3, background: '#fff' } as const

/** Starts a server of logos on this machine, and a product that may access it. */
async function serveLogos(answer: RequestListener) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // The server listens on a port.
  const own = await startMeridian({
    fetchAddress: buildOwnerUrlFetcher({ allowedNetworks: toAllowedNetworks(['127.0.0.0/8']) }),
  })
  const stop = async () => {
    await own.stop()
    server.close()
  }
  return { url: `http://127.0.0.1:${port}`, own, stop }
}

function sampleIcon(): Promise<Buffer> {
  return readFile(join(import.meta.dirname, '../../../web/public/icon-512.png'))
}

/** Builds a PNG with a huge size. A PNG declares its size in its header, so the image data need not exist. */
async function bomb(): Promise<Buffer> {
  const png = Buffer.from(await sharp({ create: BLANK }).png().toBuffer())
  png.writeUInt32BE(30_000, 16)
  png.writeUInt32BE(30_000, 20)
  return png
}

async function getBranding(calendarId: string, by = owner): Promise<Branding> {
  const answer = await meridian.as(by).get(`/api/calendars/${calendarId}/branding`)
  return answer.json()
}

async function getPublic(slug: string): Promise<PublicBranding> {
  return (await meridian.get(`/api/public/calendars/${slug}/branding`)).json()
}

function patch(calendarId: string, payload: object, by = owner) {
  return meridian.as(by).patch(`/api/calendars/${calendarId}/branding`, payload)
}

async function change(calendarId: string, payload: object, by = owner): Promise<Branding> {
  const answer = await patch(calendarId, payload, by)
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}

function postLogo(calendarId: string, payload: object) {
  return owner.post(`/api/calendars/${calendarId}/branding/logo`, payload)
}

async function upload(calendarId: string, file: Buffer): Promise<Logo> {
  const answer = await postLogo(calendarId, { file: file.toString('base64') })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.json()
}
