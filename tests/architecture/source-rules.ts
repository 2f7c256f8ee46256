/** A rule about the text of a line of code, for things that import rules cannot check. */
export type SourceRule = {
  readonly name: string
  /** The reason, for the developer who breaks the rule. */
  readonly because: string
  /** True for the files that must follow the rule, by path from the project's root. */
  readonly applies: (path: string) => boolean
  readonly forbidden: RegExp
}

export type SourceFile = { readonly path: string; readonly text: string }

const PLATFORM_DB = 'src/server/platform/db/'
const SQL_FILE =
  /^src\/server\/(platform\/|(records|messages|areas|integrations)\/([^/]+\/)+[a-z-]*repository\.ts$)/
/**
 * The modules that format dates, times, amounts and counts for screens, emails and the sandboxes' pages, and the modules that
 * they build on: the language, time zone names, and the machine-readable form of amounts and offsets.
 */
const FORMAT_FILE =
  /^src\/(web\/shared\/format-[a-z]+|server\/(records\/appointments\/appointment-time|messages\/emails\/appointment-facts)|server\/platform\/format-(money|date)|core\/shared\/(date-words|locale|decimal-amount|zone-probe)|contract\/shared\/zone-names)\.ts$/
/** Exempt, because its row of tabs scrolls left and right in every reading direction. */
const SIDEWAYS_FILE = 'src/web/ui/tabs.tsx'
/** The modules that find out a client's address and whether a proxy forwarded the request. */
const CLIENT_FILES = [
  'src/server/platform/http/client-of-request.ts',
  'src/server/platform/http/this-machine.ts',
]
const ENVIRONMENT_FILES = ['src/server/app/config.ts', 'src/server/main.ts']

/** The modules that define what a request may contain. */
const REQUEST_FILE =
  /^src\/(contract\/(?!shared\/primitives\.ts)|server\/((?:records|messages|areas)\/(?:[^/]+\/)+[a-z-]*routes|platform\/http\/[^/]+)\.ts$)/

/** The source rules. source-rules.test.ts tests each of them with a planted line. */
export const SOURCE_RULES: readonly SourceRule[] = [
  {
    name: 'no-pool-query',
    because: 'after a failed pool.query the embedded database answers a later query with the rows of another',
    applies: (path) => path.startsWith('src/server/'),
    forbidden: /\bpool\)?\s*\.query\s*[(<]/i,
  },
  {
    name: 'queries-only-in-platform-db',
    because: 'one execute() in platform/db cleans up after a failure; nobody else talks to a connection',
    applies: (path) => path.startsWith('src/server/') && !path.startsWith(PLATFORM_DB),
    forbidden: /\.query\s*[(<]/,
  },
  {
    name: 'no-sql-outside-repositories',
    because: 'SQL lives in repository.ts files and in platform',
    applies: (path) => path.startsWith('src/server/') && !SQL_FILE.test(path),
    forbidden: /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|executeQuery)\s*\(|\bsql(<.*>)?`/,
  },
  {
    name: 'no-clock-in-core',
    because: 'core takes the instant as an argument, so that a test can choose it',
    applies: isCore,
    forbidden: /\bDate\.now\(|\bnew Date\(\s*\)|\bTemporal\.Now\b|\bMath\.random\(/,
  },
  {
    name: 'no-parsed-dates-in-core',
    because:
      'new Date() and Date.parse() read text in the zone of the machine; core gives Date milliseconds only',
    applies: isCore,
    forbidden: /\bDate\.parse\(|\bnew Date\((?!\s*\))(?!.*(Ms\b|_MS\b|Date\.UTC\())/,
  },
  {
    name: 'environment-only-in-config',
    because: 'settings are read once, checked, and passed on',
    applies: (path) => path.startsWith('src/server/') && !ENVIRONMENT_FILES.includes(path),
    forbidden: /\bprocess\s*\.\s*env\b|\benv\s*\}\s*=\s*process\b/,
  },
  {
    name: 'one-client-of-a-request',
    because: 'an address can be written in many ways; clientOfRequest() makes one client of all of them',
    applies: (path) => path.startsWith('src/server/') && !CLIENT_FILES.includes(path),
    forbidden:
      /\brequest\.ips?\b|\bips?\b[^=]*\}(: FastifyRequest| = request\b)|\bremoteAddress\b|['"`]x-(forwarded-for|real-ip)/i,
  },
  {
    name: 'one-door-for-formats',
    because: 'dates and numbers are put into words in a few modules, so that a language can be added there',
    applies: (path) => path.startsWith('src/') && !FORMAT_FILE.test(path),
    // Percentages with two decimals are allowed: they are positions in a picture.
    forbidden:
      /\bIntl\.(DateTimeFormat|NumberFormat)\((?!.*\.resolvedOptions\()|\.toLocale\w*String\(|\b[AP]M\b|\.toFixed\(2\)(?!\}%)|(['"`])en(-[A-Z]{2})?\2/,
  },
  {
    name: 'logical-sides',
    because: 'start and end follow the way one reads; left and right stay where they are',
    applies: (path) => path.startsWith('src/web/') && path !== SIDEWAYS_FILE,
    forbidden:
      /(?<=['"`\s:!])(-?([mp][lr]|scroll-[mp][lr]|left|right)-(\d|\[|\(|px\b|auto\b|full\b)|(text|float)-(left|right)\b|(border|rounded)-([lr]|[tb][lr])\b)/,
  },
  {
    name: 'texts-ids-and-instants-from-primitives',
    because:
      'primitives.ts refuses what cannot be kept and writes an id in one way; a bare z.string() is for answers, which request-texts.test.ts holds it to',
    applies: (path) => REQUEST_FILE.test(path),
    forbidden:
      /\bz\.(uuid|iso)\b|(?<!\.pipe\()\bz\.url\(|\bz\.string\([^)]|\bz\.string\(\)\.(?!(nullable|optional)\(\))|^\.string\(/,
  },
  {
    name: 'no-second-export',
    because: 'a function is imported from the file that declares it, so that nobody reads a list of names',
    applies: isCapability,
    forbidden: /^export\s+(type\s+)?(\{|\*)/,
  },
  {
    name: 'addresses-from-the-table',
    because: 'the method and path of an operation are in contract/operations/addresses.ts, and nowhere else',
    applies: (path) =>
      isCapability(path) || (path.startsWith('src/web/') && !path.startsWith('src/web/testing/')),
    // Excludes the page that documents the API, which is not an operation.
    forbidden: /['"`]\/api\/(?!docs")/,
  },
  {
    name: 'no-inline-import-types',
    because: 'the import rules do not see import("…") inside a type; write an import type statement',
    applies: (path) => path.startsWith('src/'),
    forbidden: /[:<|&=(,]\s*(typeof\s+)?import\(\s*['"][^'"]+['"]\s*\)\s*\./,
  },
]

/** Lists the lines that break a rule, each as `rule: path:line`. Comments and tests are exempt. */
export function listBrokenRules(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !/\.test\.tsx?$/.test(path))
    .flatMap((file) =>
      SOURCE_RULES.filter((rule) => rule.applies(file.path)).flatMap((rule) => brokenLines(file, rule)),
    )
}

function brokenLines({ path, text }: SourceFile, rule: SourceRule): string[] {
  return text
    .split('\n')
    .map((line, index) => ({ line: line.trim(), number: index + 1 }))
    .filter(({ line }) => !/^(\/\/|\/?\*)/.test(line) && rule.forbidden.test(line))
    .map(({ number }) => `${rule.name}: ${path}:${number} (${rule.because})`)
}

function isCapability(path: string): boolean {
  return /^src[/]server[/](records|messages|areas)[/]/.test(path)
}

function isCore(path: string): boolean {
  return path.startsWith('src/core/')
}
