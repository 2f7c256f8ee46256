import { createHash } from 'node:crypto'
import type { Sharp } from 'sharp'
import { LIMITS } from '#contract/limits.ts'
import { ProblemError } from '#server/platform/http/problem-error.ts'

/** A logo as it is kept: a PNG that was drawn anew. */
export type LogoImage = {
  readonly hash: string
  readonly content: Buffer
  readonly width: number
  readonly height: number
}

/** Twice the recommended 200 × 80 pixels, for sharp screens. */
const MAX_WIDTH = 400
const MAX_HEIGHT = 160
/** A side of 4,000 pixels takes 64 MB while it is read. */
const MAX_PIXELS = 4_000 * 4_000
const TIMEOUT_SECONDS = 10
/** The resolution at which a pixel of an SVG is a pixel. */
const SVG_DENSITY = 72
const MAX_SVG_DENSITY = 2_400

/** What images are read, from memory only. Everything else that the library could open is closed. */
const READERS = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Svg'].map((format) => `VipsForeignLoad${format}Buffer`)

type Library = typeof import('sharp').default

let loading: Promise<Library> | null = null
/** One image at a time, so that many cost no more memory than one. */
let line: Promise<unknown> = Promise.resolve()

/**
 * Draws an image anew, small and still, so that nothing of the file reaches a visitor: no script, no metadata, no second
 * frame. Source: rule K4.
 * @throws ProblemError `branding.logo_too_large`, `branding.logo_not_an_image`
 */
export async function toLogo(file: Buffer): Promise<LogoImage> {
  if (file.byteLength > LIMITS.logoBytes) throw new ProblemError('branding.logo_too_large')
  const drawn = line.then(() => draw(file))
  line = drawn.catch(() => {})
  return drawn
}

async function draw(file: Buffer): Promise<LogoImage> {
  loading ??= loadLibrary()
  const sharp = await loading
  try {
    const image = await open(sharp, file)
    const { data, info } = await image
      .autoOrient()
      .resize({ width: MAX_WIDTH, height: MAX_HEIGHT, fit: 'inside', withoutEnlargement: true })
      .png({ palette: true, compressionLevel: 9 })
      .timeout({ seconds: TIMEOUT_SECONDS })
      .toBuffer({ resolveWithObject: true })
    const hash = createHash('sha256').update(data).digest('hex')
    return { hash, content: data, width: info.width, height: info.height }
  } catch (error) {
    const isTooLarge = error instanceof Error && /pixel limit|timeout|too large/i.test(error.message)
    throw new ProblemError(isTooLarge ? 'branding.logo_too_large' : 'branding.logo_not_an_image')
  }
}

/** An SVG has no size of its own: it is drawn as large as it is shown. */
async function open(sharp: Library, file: Buffer): Promise<Sharp> {
  const limits = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const
  const image = sharp(file, limits)
  const { format, width, height } = await image.metadata()
  if (format !== 'svg') return image
  const scale = Math.min(MAX_WIDTH / width, MAX_HEIGHT / height)
  return sharp(file, { ...limits, density: Math.min(Math.max(SVG_DENSITY * scale, 1), MAX_SVG_DENSITY) })
}

/** It takes 20 MB, which nobody needs who changes no logo. */
async function loadLibrary(): Promise<Library> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: READERS })
  return sharp
}
