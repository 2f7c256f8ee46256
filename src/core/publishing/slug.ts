/** The longest booking link, in characters. The contract's limit of the field is the same number. */
export const MAX_SLUG_LENGTH = 60

/** Letters that Unicode does not decompose into a base letter and a mark, as people write them in ASCII. */
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
 * Words that are, or may become, addresses of the product itself or would look like them to a customer. A calendar
 * never gets one of them as its booking link (rule C3).
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
 * Turns a calendar's name into its booking link: lowercase ASCII words joined by single dashes, at most
 * `MAX_SLUG_LENGTH` characters. German umlauts are written out ("Müller" gives `mueller`), accents are dropped ("Zoé" gives `zoe`). Empty when the script of the name gives
 * nothing; the server then makes a random slug. Source: rule C2.
 */
export function toSlug(name: string): string {
  return trimDashes(
    withoutUmlauts(name.normalize('NFKC'))
      .normalize('NFKD')
      .replace(/\p{Mark}/gu, '')
      .toLowerCase()
      // Lowercasing may decompose again: İ becomes i and a mark.
      .replace(/\p{Mark}/gu, '')
      // An apostrophe joins: "Anna's" is one word.
      .replace(/['’‘ʼ]/g, '')
      .replace(/[ßæœøłđðþħıŧ]/g, (letter) => TRANSLITERATIONS[letter] ?? '')
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+/, '')
      .slice(0, MAX_SLUG_LENGTH),
  )
}

const UMLAUTS: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

/** Letters that German writes, with those of its loanwords. */
const NOT_GERMAN = /(?![äöüßéèêàâ])[^\p{ASCII}\P{L}]/u

/** Writes umlauts as German does, unless the name has a letter of another language: Turkish and Swedish drop the dots. */
function withoutUmlauts(name: string): string {
  if (NOT_GERMAN.test(name.toLowerCase())) return name
  return name.toLowerCase().replace(/[äöü]/g, (letter) => UMLAUTS[letter] ?? letter)
}

/**
 * What a booking link edited by hand becomes while it is typed: lowercase, spaces as dashes, nothing else changed, so
 * that the caret stays where it is. Source: rule C3.
 */
export function normaliseTypedSlug(text: string): string {
  return text.toLowerCase().replace(/\s/g, '-')
}

/** Says whether `slug` has the form of a booking link: lowercase letters, digits and single dashes inside. */
export function isValidSlug(slug: string): boolean {
  return slug.length <= MAX_SLUG_LENGTH && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(slug)
}

/** Whether `slug` is reserved for the product itself. */
export function isReservedSlug(slug: string): boolean {
  return RESERVED_SLUGS.has(slug)
}

function trimDashes(text: string): string {
  return text.replace(/^-+|-+$/g, '')
}
