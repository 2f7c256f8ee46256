/** Titles before a name, without dots. */
const TITLES: ReadonlySet<string> = new Set([
  ...['dr', 'ddr', 'doctor', 'doktor', 'prof', 'professor', 'dra', 'drs', 'dott', 'dottssa', 'docteur'],
  ...['mr', 'mrs', 'ms', 'miss', 'mx', 'sir', 'dame', 'lady', 'lord', 'rev', 'reverend'],
  ...['herr', 'frau', 'mme', 'mlle', 'madame', 'monsieur', 'srta', 'señor', 'señora'],
  ...['mudr', 'mvdr', 'judr', 'phdr', 'rndr', 'paeddr', 'dkfm', 'mmag', 'habil'],
])

/** Titles only when written with a dot; without one they are names or words. */
const DOTTED_TITLES: ReadonlySet<string> = new Set([
  ...[
    'mag',
    'ing',
    'ir',
    'mgr',
    'bc',
    'univ',
    'priv',
    'doz',
    'pd',
    'fr',
    'hr',
    'sr',
    'sra',
    'sig',
    'avv',
    'med',
    'st',
  ],
])

/** Degrees after a name, without dots. */
const DEGREES: ReadonlySet<string> = new Set([
  ...[
    'md',
    'phd',
    'dds',
    'dmd',
    'do',
    'rn',
    'esq',
    'jd',
    'llm',
    'llb',
    'mba',
    'msc',
    'bsc',
    'ma',
    'ba',
    'jr',
    'ii',
    'iii',
  ],
])

/** `dipl.-psych.`, `dipl. ing`. */
const DIPLOMA = /^dipl([.-]|$)/

/** `med.`, `rer.`, `h.c.`: continuations of a title. */
const CONTINUATION = /^[a-zäöü][a-zäöü.-]*\.$/

export type PersonName = {
  /** `Prof. Dr.`; empty without a title. */
  readonly title: string
  readonly firstName: string
  readonly lastName: string
}

/**
 * Splits a full name. The first word after the titles is the first name. A single word after a title is the last name;
 * a name that consists of titles only has neither. Source: rule U31.
 */
export function splitName(fullName: string): PersonName {
  const words = fullName.trim().split(/\s+/)
  let titles = 0
  while (titles < words.length - 1 && isTitle(words[titles] ?? '', words[titles - 1] ?? null)) titles += 1
  const [first = '', ...rest] = words.slice(titles)
  const title = words.slice(0, titles).join(' ')
  return titles > 0 && rest.length === 0
    ? { title, firstName: '', lastName: first }
    : { title, firstName: first, lastName: rest.join(' ') }
}

/** Returns the names to show for the professional of a calendar, with titles as typed. Source: rule T38. */
export function toProfessionalNames(fullName: string): {
  readonly professional_first_name: string
  readonly professional_last_name: string
} {
  const { title, firstName, lastName } = splitName(fullName)
  return { professional_first_name: `${title} ${firstName}`.trim(), professional_last_name: lastName }
}

/** Returns the initials of the first and last word, one letter each, ignoring titles and degrees; empty when there are no letters. */
export function initialsOf(name: string): string {
  const { firstName, lastName } = splitName(name)
  const words = `${firstName} ${lastName}`.trim().split(/[\s,]+/)
  while (words.length > 1 && DEGREES.has(plain(words.at(-1) ?? ''))) words.pop()
  const letters = words.join(' ').match(/(?<![\p{L}\p{N}\p{Pd}'’])[\p{L}\p{N}]/gu) ?? []
  return [letters[0], letters.length > 1 ? letters.at(-1) : ''].join('').toUpperCase()
}

function isTitle(word: string, titleBefore: string | null): boolean {
  const bare = plain(word)
  return (
    TITLES.has(bare) ||
    isDiploma(word) ||
    (word.endsWith('.') && DOTTED_TITLES.has(bare)) ||
    // After `Dipl.` the continuation is capitalised (`Dipl. Psych.`); after `Dr.` it is not (`Dr. med.`).
    (titleBefore !== null && CONTINUATION.test(isDiploma(titleBefore) ? word.toLowerCase() : word))
  )
}

function isDiploma(word: string): boolean {
  return DIPLOMA.test(word.toLowerCase())
}

function plain(word: string): string {
  return word.normalize('NFC').toLowerCase().replaceAll('.', '')
}
