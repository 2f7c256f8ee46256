/** API errors about branding (rules K4 to K7). */
export const BRANDING_PROBLEMS = {
  'branding.logo_address_invalid': {
    status: 400,
    title: 'Please enter the full address of the logo, starting with https://.',
  },
  'branding.logo_unreachable': {
    status: 400,
    title: 'We couldn’t load the logo from this address. Please check the address, or upload the file.',
  },
  'branding.logo_too_large': {
    status: 400,
    title: 'The logo is too large. Please use an image of at most 2 MB and 4,000 pixels a side.',
  },
  'branding.logo_not_an_image': {
    status: 400,
    title: 'We can’t read this image. Please use a PNG, JPEG, WebP, GIF or SVG file.',
  },
  'branding.logo_unknown': { status: 400, title: 'This logo no longer exists. Please add it again.' },
  'branding.css_refused': {
    status: 400,
    title: 'Some of the custom CSS isn’t allowed. Please change or remove it.',
  },
} as const satisfies Record<string, { status: number; title: string }>
