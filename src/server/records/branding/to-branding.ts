import { z } from 'zod'
import type { Branding, Logo } from '#contract/calendars/branding.ts'
import { DEFAULT_PRIMARY_COLOR, DEFAULT_SECONDARY_COLOR } from '#contract/shared/limits.ts'
import { colorSchema } from '#contract/shared/primitives.ts'

const storedLogo = z.object({ hash: z.string(), width: z.number(), height: z.number() })

/** The stored settings. Missing fields get their default values (rule K1). */
const storedBranding = z.object({
  logo_url: z.string().catch(''),
  logo: storedLogo.nullable().catch(null),
  own_colors: z.boolean(),
  primary_color: colorSchema.catch(DEFAULT_PRIMARY_COLOR),
  secondary_color: colorSchema.catch(DEFAULT_SECONDARY_COLOR),
  custom_css: z.string().catch(''),
  /** The hash of the file generated from the custom CSS. */
  style: z.string().nullable().catch(null),
  welcome_message: z.string().catch(''),
  footer_text: z.string().catch(''),
})
export type StoredBranding = z.infer<typeof storedBranding>

export function toStoredBranding(json: Record<string, unknown>): StoredBranding {
  // Branding stored before the option `own_colors` existed uses its own colours.
  return storedBranding.parse({ own_colors: 'primary_color' in json, ...json })
}

/**
 * Serialises the settings. When all of them have their default values, `{}` is stored and the calendar uses its own
 * colour. Source: rule K1.
 */
export function toBrandingJson(settings: StoredBranding): string {
  const defaults = toStoredBranding({})
  const isDefault = JSON.stringify(toStoredBranding(settings)) === JSON.stringify(defaults)
  return JSON.stringify(isDefault ? {} : settings)
}

/** Returns the branding for its owner. */
export function toBranding(
  calendarId: string,
  { style: _file, logo, ...settings }: StoredBranding,
): Branding {
  return { ...settings, logo: logo === null ? null : toLogoWithUrl(calendarId, logo) }
}

export function toLogoWithUrl(calendarId: string, logo: z.infer<typeof storedLogo>): Logo {
  return { ...logo, url: toBrandingFileUrl(calendarId, `${logo.hash}.png`) }
}

/** Returns the path of a branding file. It is the same on every host that serves the booking page. */
export function toBrandingFileUrl(calendarId: string, file: string): string {
  return `/branding/${calendarId}/${file}`
}

/** A base64 PNG of at most 400 × 160 pixels, shown at half that size. */
export type MailLogo = { readonly content: string; readonly width: number; readonly height: number }

/** The branding that a calendar's emails show. Source: rule K10. */
export type MailBranding = {
  /** The primary colour, `#rrggbb`; null while the owner has chosen none. */
  readonly color: string | null
  readonly logo: MailLogo | null
}
