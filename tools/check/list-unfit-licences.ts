/**
 * Licences whose code may be combined with AGPL-3.0-only code and distributed under it (SPDX ids). Source:
 * gnu.org/licenses/license-list.
 */
const FIT: ReadonlySet<string> = new Set([
  'MIT',
  'MIT-0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  // The three-clause BSD licence, according to the text in url-template.
  'BSD',
  '0BSD',
  'Apache-2.0',
  'MPL-2.0',
  'BlueOak-1.0.0',
  'Zlib',
  'Unlicense',
  'CC0-1.0',
  // Python's licences require that their text is kept and that changes are named. They impose nothing on the code that they are
  // combined with. `argparse`, which markdown-it uses, is a part of Python translated to JavaScript.
  'Python-2.0',
  'PSF-2.0',
  // The data of date-holidays, not code: a file of its own that we distribute unchanged, with its attribution.
  'CC-BY-3.0',
  // LGPL-3.0 is GPL-3.0 with additional permissions, and section 13 of GPL-3.0 and of AGPL-3.0 allows combining the two. libvips,
  // which is part of sharp, has this licence.
  'LGPL-3.0-or-later',
])

/** The fields of `package-lock.json` that are read here; the project itself has the empty path. */
export type PackageLock = {
  readonly packages: Readonly<Record<string, { readonly license?: string; readonly link?: boolean }>>
}

/** Lists the packages, including development packages, whose licence is missing or not allowed, each as `path: licence`. */
export function listDisallowedLicences({ packages }: PackageLock): string[] {
  return Object.entries(packages)
    .filter(([path, { license, link }]) => path !== '' && link !== true && !isFit(license ?? ''))
    .map(([path, { license }]) => `${path}: ${license ?? 'no licence is named'}`)
}

/** For licences joined by OR, one must be allowed; for those joined by AND, all must be. */
function isFit(expression: string): boolean {
  return expression
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((alternative) => alternative.split(' AND ').every((id) => FIT.has(id)))
}
