/** Maximum length of a slug, in characters. The contract has the same limit. */
export const MAX_SLUG_LENGTH = 60

/** ASCII spellings of letters that Unicode does not decompose. */
const TRANSLITERATIONS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŧ: 't',
}

/**
 * Words that are, could become, or look like addresses of Meridian itself. No calendar gets one as its slug (rule
 * C3).
 */
const RESERVED_SLUGS: ReadonlySet<string> = new Set([
  'about',
  'account',
  'admin',
  'administrator',
  'api',
  'app',
  'assets',
  'auth',
  'billing',
  'blog',
  'book',
  'calendar',
  'calendars',
  'cancel',
  'cdn',
  'checkout',
  'confirmation',
  'contact',
  'cookies',
  'dashboard',
  'docs',
  'favicon',
  'forgot-password',
  'ftp',
  'healthz',
  'help',
  'imap',
  'index',
  'legal',
  'localhost',
  'login',
  'logout',
  'mail',
  'metrics',
  'payment',
  'payment-cancelled',
  'payment-success',
  'paypal-connect-callback',
  'pop',
  'postmaster',
  'pricing',
  'privacy',
  'profile',
  'public',
  'readyz',
  'register',
  'reset-password',
  'robots',
  'root',
  'sandbox',
  'security',
  'settings',
  'sign-in',
  'sign-out',
  'sign-up',
  'signin',
  'signout',
  'signup',
  'sitemap',
  'smtp',
  'static',
  'status',
  'stripe-connect-callback',
  'support',
  'system',
  'terms',
  'waiting',
  'webhooks',
  'well-known',
  'www',
])

/**
 * Converts a calendar's name to a slug: lower-case ASCII words joined by single dashes, at most `MAX_SLUG_LENGTH`
 * characters. German umlauts are spelled out ("Müller" gives `mueller`), accents are dropped ("Zoé" gives `zoe`). Empty
 * when the name has no convertible letters; the server then generates a random slug. Source: rule C2.
 */
export function toSlug(name: string): string {
  return trimDashes(
    withoutUmlauts(name.normalize('NFKC'))
      .normalize('NFKD')
      .replace(/\p{Mark}/gu, '')
      .toLowerCase()
      // Lower-casing can produce combining marks: İ becomes i plus a mark.
      .replace(/\p{Mark}/gu, '')
      // Apostrophes are dropped: "Anna's" is one word.
      .replace(/['’‘ʼ]/g, '')
      .replace(/[ßæœøłđðþħıŧ]/g, (letter) => TRANSLITERATIONS[letter] ?? '')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+/, '')
      .slice(0, MAX_SLUG_LENGTH),
  )
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** Letters used in German, including loanwords. */
const NOT_GERMAN = /(?![äöüßéèêàâ])[^\p{ASCII}\P{L}]/u

/**
 * Spells out umlauts as German does, unless the name has letters of another language: Turkish and Swedish drop the dots
 * instead.
 */
function withoutUmlauts(name: string): string {
  if (NOT_GERMAN.test(name.toLowerCase())) return name
  return name.toLowerCase().replace(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter)
}

/**
 * Normalises a slug while it is typed: lower case and dashes for spaces, nothing else, so that the caret stays in
 * place. Source: rule C3.
 */
export function normaliseTypedSlug(text: string): string {
  return text.toLowerCase().replace(/\s/g, '-')
}

/** True when `slug` is well-formed: lower-case letters, digits and single inner dashes. */
export function isValidSlug(slug: string): boolean {
  return slug.length <= MAX_SLUG_LENGTH && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug)
}

/** True when `slug` is reserved for Meridian itself. */
export function isReservedSlug(slug: string): boolean {
  return RESERVED_SLUGS.has(slug)
}

function trimDashes(text: string): string {
  return text.replace(/^-+|-+$/g, '')
}
