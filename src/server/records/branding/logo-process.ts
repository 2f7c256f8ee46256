import sharp, { type Sharp } from 'sharp'

export type DrawnLogo = { readonly content: Buffer; readonly width: number; readonly height: number }

/** What this process answers: the logo, or why there is none. */
export type LogoResult =
  | DrawnLogo
  | { readonly refused: 'branding.logo_too_large' | 'branding.logo_not_an_image' }

/** Twice the recommended 200 × 80 pixels, for sharp screens. */
const MAX_WIDTH = 400
const MAX_HEIGHT = 160
/** A side of 4,000 pixels takes 64 MB while it is read. */
const MAX_PIXELS = 4_000 * 4_000
/** The resolution at which a pixel of an SVG is a pixel. */
const SVG_DENSITY = 72
const MAX_SVG_DENSITY = 2_400
/** An image of 16 million pixels takes up to 240 MB. An SVG of 300 kB can ask for gigabytes within two seconds. */
const MAX_MEMORY_BYTES = 400_000_000
/** How often to check the memory, and whether the process that started this one is still there, in milliseconds. */
const LOOK_MS = 20

/** What images are read, from memory only. Everything else that the library could open is closed. */
const READERS = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Svg'].map((format) => `VipsForeignLoad${format}Buffer`)

/**
 * A process that draws one logo: `to-logo.ts` starts it, sends it the file, gets a `LogoResult` and ends it. It also ends when it
 * takes too much memory, and with the process that started it. Source: rule K4.
 */
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: READERS })
setInterval(() => {
  // `process.exit()` would wait for the thread that draws.
  if (!process.connected || process.memoryUsage.rss() > MAX_MEMORY_BYTES) process.kill(process.pid, 'SIGKILL')
}, LOOK_MS)
process.once('message', async (file) => {
  process.send?.(await draw(file as Buffer)) // Nothing else is sent.
})

async function draw(file: Buffer): Promise<LogoResult> {
  try {
    const image = await open(file)
    const { data, info } = await image
      .autoOrient()
      .resize({ width: MAX_WIDTH, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true })
      .png({ palette: true, compressionLevel: 9 })
      .toBuffer({ resolveWithObject: true })
    return { content: data, width: info.width, height: info.height }
  } catch (error) {
    const isTooLarge = error instanceof Error && /pixel limit|too large/i.test(error.message)
    return { refused: isTooLarge ? 'branding.logo_too_large' : 'branding.logo_not_an_image' }
  }
}

/** An SVG has no size of its own: it is drawn as large as it is shown. */
async function open(file: Buffer): Promise<Sharp> {
  const limits = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const
  const image = sharp(file, limits)
  const { format, width, height } = await image.metadata()
  if (format !== 'svg') return image
  const scale = Math.min(MAX_WIDTH / width, MAX_HEIGHT / height)
  return sharp(file, { ...limits, density: Math.min(Math.max(SVG_DENSITY * scale, 1), MAX_SVG_DENSITY) })
}
