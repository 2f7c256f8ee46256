import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { findBrowser } from '#tests/support/find-browser.ts'

/**
 * Draws the images that cannot be SVG, from the mark in `favicon.svg`: the icons that phones request, and the image that link
 * previews show. Run by hand when the mark changes (`node tools/draw-images.ts`); the results are committed.
 */
const PUBLIC = join(import.meta.dirname, '../src/web/public')
const FONT = join(import.meta.dirname, '../src/web/ui/fonts/brygada-1918-latin.woff2')

/** Side lengths in pixels. The corners are square, because phones round them. */
const ICONS = [
  { file: 'apple-touch-icon.png', size: 180 },
  { file: 'icon-192.png', size: 192 },
  { file: 'icon-512.png', size: 512 },
] as const

/** The image for link previews; width and height in pixels. */
const PREVIEW = { file: 'preview.png', width: 1200, height: 630 } as const

const mark = (await readFile(join(PUBLIC, 'favicon.svg'), 'utf8')).replace(' rx="8"', '')
const font = (await readFile(FONT)).toString('base64')
const browser = await chromium.launch({ executablePath: findBrowser('whole'), args: ['--no-sandbox'] })

for (const { file, size } of ICONS)
  await draw(file, size, size, `<style>svg { display: block }</style>${mark}`)
await draw(PREVIEW.file, PREVIEW.width, PREVIEW.height, previewHtml())
await browser.close()

async function draw(file: string, width: number, height: number, html: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width, height } })
  await page.setContent(`<style>body { margin: 0 }</style>${html}`)
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  await page.screenshot({ path: join(PUBLIC, file) })
  await page.close()
}

/**
 * Builds the preview image: the home page's slogan under the arc of a day. The colours are those of ui/theme.css in the light
 * theme.
 */
function previewHtml(): string {
  const hours = Array.from({ length: 11 }, (_, index) => Math.PI * (1 - (index + 1) / 12))
  const dots = hours.map((angle, index) => {
    const radius = index % 3 === 2 ? 6 : 3.5
    return `<circle cx="${600 + 500 * Math.cos(angle)}" cy="${600 - 500 * Math.sin(angle)}" r="${radius}" fill="#1a2436"/>`
  })
  return `<style>
    @font-face { font-family: Brygada; src: url(data:font/woff2;base64,${font}); font-weight: 400 700 }
    text { font-family: Brygada, serif; font-weight: 600; fill: #1a2436; text-anchor: middle }
  </style>
  <svg width="1200" height="630" style="display: block; background: #faf6ee">
    <defs>
      <linearGradient id="sky"><stop stop-color="#f3c9bb"/><stop offset=".5" stop-color="#f8dc8f"/><stop offset="1" stop-color="#c3c3e6"/></linearGradient>
      <radialGradient id="haze"><stop offset=".3" stop-color="#fff" stop-opacity="0"/><stop offset=".8" stop-color="#fff" stop-opacity=".3"/><stop offset="1" stop-color="#fff"/></radialGradient>
      <mask id="rim"><circle cx="600" cy="600" r="500" fill="url(#haze)"/></mask>
    </defs>
    <circle cx="600" cy="600" r="500" fill="url(#sky)" mask="url(#rim)"/>
    <rect y="600" width="1200" height="30" fill="#1a2436"/>
    ${dots.join('')}
    <path d="M600 100v46" stroke="#1a2436" stroke-width="2.5"/>
    <circle cx="350" cy="167" r="34" fill="#f4b12f" stroke="#faf6ee" stroke-width="9"/>
    <text x="600" y="300" font-size="84">Let your clients</text>
    <text x="600" y="396" font-size="84">find the time.</text>
    <text x="600" y="500" font-size="44">Meridian</text>
  </svg>`
}
