import { z } from 'zod'
import type { Branding, Logo } from '#contract/branding.ts'
import { DEFAULT_PRIMARY_COLOR, DEFAULT_SECONDARY_COLOR } from '#contract/limits.ts'
import { colorSchema } from '#contract/primitives.ts'

const storedLogo = z.object({ hash: z.string(), width: z.number(), height: z.number() })

/** The settings as they are stored. What is missing has its default (rule K1). */
const storedBranding = z.object({
  logo_url: z.string().catch(''),
  logo: storedLogo.nullable().catch(null),
  own_colors: z.boolean(),
  primary_color: colorSchema.catch(DEFAULT_PRIMARY_COLOR),
  secondary_color: colorSchema.catch(DEFAULT_SECONDARY_COLOR),
  custom_css: z.string().catch(''),
  /** The name of the file that was written of the custom CSS. */
  style: z.string().nullable().catch(null),
  welcome_message: z.string().catch(''),
  footer_text: z.string().catch(''),
})
export type StoredBranding = z.infer<typeof storedBranding>

export function toStoredBranding(json: Record<string, unknown>): StoredBranding {
  // Branding that was stored before this choice existed uses its own colours.
  return storedBranding.parse({ own_colors: 'primary_color' in json, ...json })
}

/** Nothing is stored where nothing differs from the defaults: the calendar then has its own colour. Source: rule K1. */
export function toBrandingJson(settings: StoredBranding): string {
  const defaults = toStoredBranding({})
  const isDefault = JSON.stringify(toStoredBranding(settings)) === JSON.stringify(defaults)
  return JSON.stringify(isDefault ? {} : settings)
}

/** The look as its owner sees it. */
export function toBranding(
  calendarId: string,
  { style: _file, logo, ...settings }: StoredBranding,
): Branding {
  return { ...settings, logo: logo === null ? null : toLogoWithUrl(calendarId, logo) }
}

export function toLogoWithUrl(calendarId: string, logo: z.infer<typeof storedLogo>): Logo {
  return { ...logo, url: fileUrl(calendarId, `${logo.hash}.png`) }
}

/** The path of a file of the look. It is the same on every host that shows the booking page. */
export function fileUrl(calendarId: string, file: string): string {
  return `/branding/${calendarId}/${file}`
}
