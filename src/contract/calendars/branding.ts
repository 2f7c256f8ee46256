import { z } from 'zod'
import { changesOf } from '#contract/shared/changes.ts'
import { DEFAULT_PRIMARY_COLOR, DEFAULT_SECONDARY_COLOR, LIMITS } from '#contract/shared/limits.ts'
import { anyText, colorSchema, idOf, isAddress, line, paragraph } from '#contract/shared/primitives.ts'

/** A logo as we serve it: drawn anew, under an address of its own for each image. Source: rule K4. */
export const logoSchema = z.object({
  hash: z.string(),
  /** Path on every host that shows the booking page. */
  url: z.string(),
  width: z.number().int(),
  height: z.number().int(),
})
export type Logo = z.infer<typeof logoSchema>

/** The look of a booking page as its owner set it, complete: what is not set has its default. Source: rule K1. */
export const brandingSchema = z.object({
  /** Where the logo was fetched; empty when it was uploaded or there is none. */
  logo_url: z.string(),
  logo: logoSchema.nullable(),
  /** The page has the two colours below. While false, it has the product's and the calendar's own. Source: rule K1. */
  own_colors: z.boolean(),
  primary_color: colorSchema,
  secondary_color: colorSchema,
  custom_css: z.string(),
  welcome_message: z.string(),
  footer_text: z.string(),
})
export type Branding = z.infer<typeof brandingSchema>

const logoAddress = line(LIMITS.url).refine(
  (text) => text === '' || isAddress(text, /^https?$/),
  'branding.logo_address_invalid',
)

const logoHash = anyText()
  .regex(/^[0-9a-f]{64}$/, 'branding.logo_unknown')
  .nullable()

/** What an owner sends of the look. */
const looks = {
  logo_url: logoAddress,
  /** A logo that was made before. Null when the address is to be fetched, or is empty for no logo. */
  logo_hash: logoHash,
  /** Absent while a colour is sent: the colours are used. */
  own_colors: z.boolean(),
  primary_color: colorSchema,
  secondary_color: colorSchema,
  custom_css: paragraph(LIMITS.customCss),
  welcome_message: paragraph(LIMITS.brandingText),
  footer_text: paragraph(LIMITS.brandingText),
}

/** The fields of the form. */
export const brandingForm = z.object(looks)
export type BrandingForm = z.infer<typeof brandingForm>

export const brandingChanges = changesOf(looks)

/** The look while it is edited. */
export const previewBrandingBody = z.object({
  logo_hash: logoHash.default(null),
  own_colors: z.boolean().default(true),
  primary_color: colorSchema.default(DEFAULT_PRIMARY_COLOR),
  secondary_color: colorSchema.default(DEFAULT_SECONDARY_COLOR),
  custom_css: paragraph(LIMITS.customCss).default(''),
  welcome_message: paragraph(LIMITS.brandingText).default(''),
  footer_text: paragraph(LIMITS.brandingText).default(''),
})

/** A part of the custom CSS that is not taken, and where it is. Source: rule K7. */
export const refusedStyleSchema = z.object({
  /** From 1. */
  line: z.number().int(),
  message: z.string(),
})
export type RefusedStyle = z.infer<typeof refusedStyleSchema>

/** What visitors get of the look, drawn so that a page only has to put it in place. */
export const publicBrandingSchema = z.object({
  /** Custom properties of CSS by their names. */
  colors: z.record(z.string(), z.string()),
  logo: logoSchema.nullable(),
  /** Formatted text as HTML that the server wrote: nothing of it was typed as HTML. Source: rule K5. */
  welcome_html: z.string(),
  footer_html: z.string(),
  /** Path of the custom CSS; null without any. */
  stylesheet: z.string().nullable(),
})
export type PublicBranding = z.infer<typeof publicBrandingSchema>

export const brandingPreviewSchema = z.object({
  branding: publicBrandingSchema,
  /** The custom CSS as visitors get it; empty while something in it is refused. */
  css: z.string(),
  refused: z.array(refusedStyleSchema),
})
export type BrandingPreview = z.infer<typeof brandingPreviewSchema>

/** A logo to be made: of an address, or else of a file as base64. */
export const makeLogoBody = z
  .object({
    logo_url: logoAddress.optional(),
    file: anyText()
      .max(Math.ceil(LIMITS.logoBytes / 3) * 4, 'branding.logo_too_large')
      .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'branding.logo_not_an_image')
      .optional(),
  })
  .refine(({ logo_url = '', file = '' }) => (logo_url === '') !== (file === ''), {
    path: ['logo_url'],
    error: 'branding.logo_address_invalid',
  })

/** A file of the look in an address. */
export const brandingFileParams = z.object({
  calendar_id: idOf('request.not_found'),
  file: anyText().regex(/^[0-9a-f]{64}\.(png|css)$/),
})
