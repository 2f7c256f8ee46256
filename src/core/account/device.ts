/** What a browser says about itself, by the names that people know. */
export type Device = { readonly browser: string | null; readonly system: string | null }

/** The order matters: nearly every browser also names the browsers that it imitates. */
const BROWSERS = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
] as const

const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
] as const

/** Reads a User-Agent header. An unknown part is null: a guess would only worry people. */
export function parseDevice(userAgent: string | null): Device {
  return { browser: findName(BROWSERS, userAgent), system: findName(SYSTEMS, userAgent) }
}

function findName(names: readonly (readonly [RegExp, string])[], userAgent: string | null): string | null {
  return names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? null
}
