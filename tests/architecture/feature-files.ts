/** A kind of file in a feature of the server, as docs/architecture.md lists them. */
type FileKind = { readonly names: RegExp; readonly what: string }

/**
 * What a function does that has a file of its own, which is named after it. A verb is a promise (see CONTRIBUTING.md): `find`
 * gives null when there is none, `get` throws, `list` gives an array, `is` a boolean, `to` converts.
 */
const VERBS = [
  'accept|answer|ask|book|cancel|carry-out|change|check|close|create|describe|end|find|follow|get|insert|is|list|prove|put|queue|read',
  'receive|refuse|remove|replace|return|run|send|settle|stream|take|tell|to|write',
].join('|')

/** Everything that a file of a feature may be called. Each stands alone or with the noun that it is about in front. */
export const FILE_KINDS: readonly FileKind[] = [
  { names: /^([a-z-]+-)?routes[.]ts$/, what: 'operations of the API: parses, calls a use case, answers' },
  { names: /^([a-z-]+-)?use-cases[.]ts$/, what: 'what the feature can do' },
  { names: /^([a-z-]+-)?repository[.]ts$/, what: 'SQL' },
  {
    names: /^job-definitions[.]ts$|^([a-z-]+-)?jobs?[.]ts$/,
    what: 'background work and when it is tried again',
  },
  { names: /^deps[.]ts$/, what: 'what several files of the feature are given' },
  { names: /^[a-z-]+-mail[.]ts$/, what: 'builds an email' },
  {
    names: /^[a-z-]+-process[.]ts$/,
    what: 'a program of its own, which the feature starts for one piece of work and ends',
  },
  { names: new RegExp(`^(${VERBS})-[a-z-]+[.]ts$`), what: 'one function that is called so' },
]

/** Names of one feature, for what is no function: constants, and the parts that emails are made of. */
export const OWN_NAMES: Readonly<Record<string, readonly string[]>> = {
  bookings: ['booking-budgets.ts', 'customer-booking.ts', 'owner-booking.ts'],
  branding: ['style-rules.ts'],
  mail: [
    'appointment-blocks.ts',
    'appointment-envelope.ts',
    'appointment-facts.ts',
    'appointment-time.ts',
    'calendar-file.ts',
    'customer-facts.ts',
    'event-texts.ts',
    'html-blocks.ts',
    'html-looks.ts',
    'html-page.ts',
    'mail-colors.ts',
    'mail-document.ts',
    'mail-origin.ts',
    'plain-text.ts',
    'typed-text.ts',
  ],
  mailbox: ['mail-samples.ts', 'sample-scenes.ts'],
  messages: ['message-kinds.ts'],
  profile: ['export-tables.ts'],
  subscription: ['plan-gates.ts'],
}

const FEATURE_FILE = /^src\/server\/features\/(?<feature>[^/]+)\/(?<name>.+)$/

/** The files of features whose names are not in the vocabulary. Tests are named after what they test, or what they guarantee. */
export function listUnknownNames(paths: readonly string[]): string[] {
  return paths.filter((path) => {
    const { feature = '', name = '' } = FEATURE_FILE.exec(path)?.groups ?? {}
    if (feature === '' || name.endsWith('.test.ts')) return false
    return !FILE_KINDS.some(({ names }) => names.test(name)) && OWN_NAMES[feature]?.includes(name) !== true
  })
}

/** Own names that no file has, or that the vocabulary allows anyway. */
export function listNeedlessNames(paths: readonly string[]): string[] {
  const existing = new Set(paths)
  return Object.entries(OWN_NAMES)
    .flatMap(([feature, names]) =>
      names.map((name) => ({ path: `src/server/features/${feature}/${name}`, name })),
    )
    .filter(({ path, name }) => !existing.has(path) || FILE_KINDS.some(({ names }) => names.test(name)))
    .map(({ path }) => path)
}
