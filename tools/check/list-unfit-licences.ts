/** What may be combined with AGPL-3.0-only and given on under it (SPDX ids). Source: gnu.org/licenses/license-list. */
const FIT: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  // The three-clause one, by the text in url-template.
  'BSD',
  '0BSD',
  'Apache-2.0',
  'MPL-2.0',
  'BlueOak-1.0.0',
  'Zlib',
  'Unlicense',
  'CC0-1.0',
  // The licences of Python ask to keep their text and to name what was changed, and nothing of what they are combined with.
  // `argparse` of markdown-it is a part of Python in JavaScript.
  'Python-2.0',
  'PSF-2.0',
  // It is GPL-3.0 with more permissions, and section 13 of GPL-3.0 and of AGPL-3.0 lets the two be combined. sharp comes with libvips,
  // which has it.
  'LGPL-3.0-or-later',
])

/** The part of `package-lock.json` that counts here; the project itself has the empty path. */
export type Lock = {
  readonly packages: Readonly<Record<string, { readonly license?: string; readonly link?: boolean }>>
}

/** The packages, of development too, whose licence does not go with ours or is not told, each as `path: licence`. */
export function listUnfitLicences({ packages }: Lock): string[] {
  return Object.entries(packages)
    .filter(([path, { license, link }]) => path !== '' && link !== true && !isFit(license ?? ''))
    .map(([path, { license }]) => `${path}: ${license ?? 'no licence is named'}`)
}

/** Of alternatives one has to fit, of what holds together all. */
function isFit(expression: string): boolean {
  return expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((alternative) => alternative.split(' AND ').every((id) => FIT.has(id)))
}
