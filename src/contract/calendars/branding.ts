import { z } from 'zod'
import { partialUpdateSchema } from '#contract/shared/changes.ts'
import { componentSchema } from '#contract/shared/component.ts'
import { DEFAULT_PRIMARY_COLOR, DEFAULT_SECONDARY_COLOR, LIMITS } from '#contract/shared/limits.ts'
import {
  colorSchema,
  idSchemaWithError,
  isUrl,
  multilineTextSchema,
  singleLineSchema,
  storableTextSchema,
} from '#contract/shared/primitives.ts'

/** A logo as Meridian serves it: re-encoded, with a URL that depends on its content. Source: rule K4. */
export const logoSchema = componentSchema('Logo', {
  hash: z.string(),
  /** The path of the logo, which works on every host of the booking page. */
  url: z.string(),
  width: z.number().int(),
  height: z.number().int(),
})
export type Logo = z.infer<typeof logoSchema>

/** A booking page's branding, with defaults for settings that the owner has not changed. Source: rule K1. */
export const brandingSchema = componentSchema('Branding', {
  /** The URL from which the logo was fetched; empty when it was uploaded or there is none. */
  logo_url: z.string(),
  logo: logoSchema.nullable(),
  /**
   * True when the page uses the two colours below. Otherwise it uses the colours of Meridian and the calendar. Source: rule
   * K1.
   */
  own_colors: z.boolean(),
  primary_color: colorSchema,
  secondary_color: colorSchema,
  custom_css: z.string(),
  welcome_message: z.string(),
  footer_text: z.string(),
})
export type Branding = z.infer<typeof brandingSchema>

const logoAddress = singleLineSchema(LIMITS.url).refine(
  (text) => text === '' || isUrl(text, /^https?$/),
  'branding.logo_address_invalid',
)

const logoHash = storableTextSchema()
  .regex(/^[0-9a-f]{64}$/, 'branding.logo_unknown')
  .nullable()

/** The branding settings that an owner can change. */
const looks = {
  logo_url: logoAddress,
  /**
   * The hash of a logo that was uploaded or fetched earlier. Null to fetch `logo_url`, or to remove the logo when `logo_url` is
   * empty.
   */
  logo_hash: logoHash,
  /** When absent, sending a colour turns the two colours on. */
  own_colors: z.boolean(),
  primary_color: colorSchema,
  secondary_color: colorSchema,
  custom_css: multilineTextSchema(LIMITS.customCss),
  welcome_message: multilineTextSchema(LIMITS.brandingText),
  footer_text: multilineTextSchema(LIMITS.brandingText),
}

/** The fields of the branding form. */
export const brandingFormSchema = z.object(looks)
export type BrandingForm = z.infer<typeof brandingFormSchema>

export const brandingChanges = partialUpdateSchema(looks).meta({ id: 'BrandingChanges' })

/** Unsaved branding for a preview. */
export const brandingPreviewBody = componentSchema('PreviewBranding', {
  logo_hash: logoHash.default(null),
  own_colors: z.boolean().default(true),
  primary_color: colorSchema.default(DEFAULT_PRIMARY_COLOR),
  secondary_color: colorSchema.default(DEFAULT_SECONDARY_COLOR),
  custom_css: multilineTextSchema(LIMITS.customCss).default(''),
  welcome_message: multilineTextSchema(LIMITS.brandingText).default(''),
  footer_text: multilineTextSchema(LIMITS.brandingText).default(''),
})

/** A part of the custom CSS that was refused, and its line. Source: rule K7. */
export const refusedCssSchema = componentSchema('RefusedStyle', {
  /** The line number, starting at 1. */
  line: z.number().int(),
  message: z.string(),
})
export type RefusedCss = z.infer<typeof refusedCssSchema>

/** The branding as visitors receive it, ready to be inserted into the page. */
export const publicBrandingSchema = componentSchema('PublicBranding', {
  /** The values of the page's CSS custom properties, by name. */
  colors: z.record(z.string(), z.string()),
  logo: logoSchema.nullable(),
  /** HTML that the server generated from formatted text. HTML typed by an owner is never sent to visitors. Source: rule K5. */
  welcome_html: z.string(),
  footer_html: z.string(),
  /** The path of the custom CSS; null without custom CSS. */
  stylesheet: z.string().nullable(),
})
export type PublicBranding = z.infer<typeof publicBrandingSchema>

export const brandingPreviewSchema = componentSchema('BrandingPreview', {
  branding: publicBrandingSchema,
  /** The custom CSS as visitors receive it; empty when a part of it is refused. */
  css: z.string(),
  refused: z.array(refusedCssSchema),
})
export type BrandingPreview = z.infer<typeof brandingPreviewSchema>

/** Creates a logo from a URL, or from a file in base64 when there is no URL. */
export const uploadLogoBody = z
  .object({
    logo_url: logoAddress.optional(),
    file: storableTextSchema()
      .max(Math.ceil(LIMITS.logoBytes / 3) * 4, 'branding.logo_too_large')
      .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'branding.logo_not_an_image')
      .optional(),
  })
  .refine(({ logo_url = '', file = '' }) => (logo_url === '') !== (file === ''), {
    path: ['logo_url'],
    error: 'branding.logo_address_invalid',
  })
  .meta({ id: 'MakeLogo' })

/** The path parameters of a branding file. */
export const brandingFileParams = z.object({
  calendar_id: idSchemaWithError('request.not_found'),
  file: storableTextSchema().regex(/^[0-9a-f]{64}\.(png|css)$/),
})
