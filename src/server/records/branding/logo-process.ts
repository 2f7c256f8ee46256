import sharp, { type Sharp } from 'sharp'

export type RenderedLogo = { readonly content: Buffer; readonly width: number; readonly height: number }

/** The message that this process sends back: the logo, or the reason for refusing it. */
export type LogoProcessResult =
  | RenderedLogo
  | { readonly refused: 'branding.logo_too_large' | 'branding.logo_not_an_image' }

/**
 * Maximum width of a logo in pixels. Width and height are twice the recommended 200 × 80, for high-resolution screens.
 */
const MAX_WIDTH = 400
const MAX_HEIGHT = 160
/** Maximum number of pixels of an image. An image of 4,000 × 4,000 pixels takes 64 MB while it is decoded. */
const MAX_PIXELS = 4_000 * 4_000
/** The resolution in dpi at which one SVG unit becomes one pixel. */
const SVG_DENSITY = 72
const MAX_SVG_DENSITY = 2_400
/**
 * Maximum memory of the process. An image of 16 million pixels takes up to 240 MB. An SVG of 300 kB can request
 * gigabytes within two seconds.
 */
const MAX_MEMORY_BYTES = 400_000_000
/** Interval at which the memory, and whether the parent process is alive, is checked, in milliseconds. */
const CHECK_EVERY_MS = 20

/** The image formats that are read, from memory only. All other loaders of the library are blocked. */
const READERS = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Svg'].map((format) => `VipsForeignLoad${format}Buffer`)

/**
 * A process that draws one logo. `render-logo.ts` starts it, sends it the file, receives a `LogoProcessResult` and ends it. It
 * also exits when it uses too much memory, or when its parent process dies. Source: rule K4.
 */
sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: READERS })
setInterval(() => {
  // Kill the process, because `process.exit()` would wait for the drawing thread.
  if (!process.connected || process.memoryUsage.rss() > MAX_MEMORY_BYTES) process.kill(process.pid, 'SIGKILL')
}, CHECK_EVERY_MS)
process.once('message', async (file) => {
  process.send?.(await draw(file as Buffer)) // The other process sends nothing but files.
})

async function draw(file: Buffer): Promise<LogoProcessResult> {
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

/** Opens an image. An SVG has no fixed size, so it is rendered at the size at which the logo is shown. */
async function open(file: Buffer): Promise<Sharp> {
  const limits = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const
  const image = sharp(file, limits)
  const { format, width, height } = await image.metadata()
  if (format !== 'svg') return image
  const scale = Math.min(MAX_WIDTH / width, MAX_HEIGHT / height)
  return sharp(file, { ...limits, density: Math.min(Math.max(SVG_DENSITY * scale, 1), MAX_SVG_DENSITY) })
}
