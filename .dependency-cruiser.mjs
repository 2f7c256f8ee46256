import { AREA_ARROWS, AREAS } from './tests/architecture/area-arrows.ts'

/**
 * The architecture rules of docs/architecture.md as checks on imports. Each rule is proven by a planted violation in
 * tests/architecture/import-rules.test.ts; what imports cannot show is checked by tests/architecture/source-rules.ts.
 *
 * Tests may reach further than the code they test (fixtures, the composed application), so rules about the direction
 * between folders do not look at `*.test.ts`.
 */
const TEST_FILES = '[.]test[.]tsx?$'

/** What only tests of web code use. */
const WEB_TEST_SUPPORT = '^src/web/(entries/app/)?testing/'

/** The one file of `src` that loads stand-ins of providers. */
const SANDBOX_LOADER = '^src/server/app/sandbox[.]ts$'

/** The folders of the server's capabilities, and what they share. */
const CAPABILITIES = '^src/server/(records|messages|areas)/'

/** SQL is written here and nowhere else. */
const SQL_FILES = [
  '^src/server/platform/',
  '^src/server/(records|messages|areas|integrations)/.*repository[.]ts$',
]

/** One rule for each area: the areas that it may import. */
const areaRules = AREAS.map((area) => ({
  name: `areas-along-arrows-${area}`,
  comment: `docs/architecture.md lists the arrows between areas, each with its reason`,
  severity: 'error',
  from: { path: `^src/server/areas/${area}/`, pathNot: TEST_FILES },
  to: {
    path: '^src/server/areas/',
    pathNot: [area, ...AREA_ARROWS.filter(({ from }) => from === area).map(({ to }) => to)].map(
      (allowed) => `^src/server/areas/${allowed}/`,
    ),
  },
}))

/** Software of others that is wrapped in one folder, so that replacing it touches that folder only. */
const VENDORS = [
  { name: 'database-driver', packages: 'pg|@electric-sql/pglite', home: '^src/server/platform/db/' },
  { name: 'better-auth', packages: 'better-auth', home: '^src/server/platform/auth/' },
  { name: 'pg-boss', packages: 'pg-boss', home: '^src/server/platform/jobs/' },
  { name: 'nodemailer', packages: 'nodemailer', home: '^src/server/integrations/smtp/' },
  { name: 'stripe', packages: 'stripe', home: '^src/server/integrations/stripe/' },
  {
    name: 'google',
    packages: '@googleapis/[^/]+|googleapis|google-auth-library',
    home: '^src/server/integrations/google/',
  },
  { name: 'tldts', packages: 'tldts', home: '^src/server/integrations/dns/' },
  { name: 'sax', packages: 'sax', home: '^src/server/integrations/caldav/' },
  {
    name: 'icalendar',
    packages: 'ical[.]js',
    home: '^src/server/integrations/(icalendar|caldav)/',
  },
  // They are loaded when an owner edits a look, and by nothing else.
  { name: 'look', packages: 'sharp|css-tree|markdown-it', home: '^src/server/records/branding/' },
  { name: 'phone-numbers', packages: 'libphonenumber-js', home: '^src/server/platform/phone-numbers/' },
  { name: 'undici', packages: 'undici', home: '^src/server/platform/http/' },
  { name: 'microsoft', packages: '@microsoft/[^/]+', home: '^src/server/integrations/microsoft/' },
  { name: 'openid-client', packages: 'openid-client|oauth4webapi', home: '^src/server/integrations/oauth/' },
]

/** Matches a file of one of the named packages (alternatives as in a regular expression). */
const inPackage = (names) => `(^|/)node_modules/(${names})(/|$)`

const vendorRules = VENDORS.map(({ name, packages, home }) => ({
  name: `vendor-${name}-only-in-its-adapter`,
  comment: `${packages} is imported only in ${home}`,
  severity: 'error',
  from: { path: '^src/', pathNot: [home, TEST_FILES] },
  to: { path: inPackage(packages) },
}))

const forbidden = [
  {
    name: 'core-is-pure',
    comment: 'core imports only itself and temporal-polyfill: no framework, no I/O, not even Node',
    severity: 'error',
    from: { path: '^src/core/', pathNot: TEST_FILES },
    to: { pathNot: ['^src/core/', inPackage('temporal-polyfill')] },
  },
  {
    name: 'contract-is-words',
    comment: 'contract imports only itself, core and zod: both sides of the wire can read it',
    severity: 'error',
    from: { path: '^src/contract/', pathNot: TEST_FILES },
    to: { pathNot: ['^src/(contract|core)/', inPackage('zod')] },
  },
  {
    name: 'web-knows-no-server',
    comment: 'web and server meet in contract',
    severity: 'error',
    from: { path: '^src/web/' },
    to: { path: '^src/server/' },
  },
  {
    name: 'server-knows-no-web',
    comment: 'web and server meet in contract',
    severity: 'error',
    from: { path: '^src/server/' },
    to: { path: '^src/web/' },
  },
  {
    name: 'platform-knows-no-feature',
    comment: 'platform is plumbing that any product could use',
    severity: 'error',
    from: { path: '^src/server/platform/', pathNot: TEST_FILES },
    to: { path: '^src/server/(records|messages|areas|integrations|app)/' },
  },
  {
    name: 'integrations-know-no-feature',
    comment: 'an adapter implements a port; it does not know who uses it',
    severity: 'error',
    from: { path: '^src/server/integrations/', pathNot: TEST_FILES },
    to: { path: '^src/server/(records|messages|areas|app)/' },
  },
  {
    name: 'integrations-stand-alone',
    comment: 'one adapter does not lean on another; what several share has a folder of its own',
    severity: 'error',
    from: { path: '^src/server/integrations/([^/]+)/', pathNot: TEST_FILES },
    to: {
      path: '^src/server/integrations/',
      pathNot: '^src/server/integrations/($1|icalendar|oauth|own-events|reading)/',
    },
  },
  {
    name: 'ports-are-domain-words',
    comment: 'a port says what features need from outside in words of core and contract',
    severity: 'error',
    from: { path: '^src/server/ports/', pathNot: TEST_FILES },
    to: { pathNot: ['^src/server/ports/', '^src/(core|contract)/', inPackage('temporal-polyfill')] },
  },
  {
    name: 'capabilities-use-ports',
    comment: 'records, messages and areas are given adapters by the composition root; they name neither',
    severity: 'error',
    from: { path: CAPABILITIES, pathNot: TEST_FILES },
    to: { path: '^src/server/(integrations|app)/' },
  },
  {
    name: 'records-know-no-area',
    comment: 'records are what areas and messages share',
    severity: 'error',
    from: { path: '^src/server/records/', pathNot: TEST_FILES },
    to: { path: '^src/server/(messages|areas)/' },
  },
  {
    name: 'messages-know-records-only',
    comment: 'areas queue messages; messages do not know who does',
    severity: 'error',
    from: { path: '^src/server/messages/', pathNot: TEST_FILES },
    to: { path: '^src/server/areas/' },
  },
  ...areaRules,
  {
    name: 'sql-only-in-repositories',
    comment: 'SQL lives in repository.ts files and in platform',
    severity: 'error',
    from: { path: '^src/', pathNot: [...SQL_FILES, TEST_FILES] },
    to: { path: inPackage('kysely') },
  },
  ...vendorRules,
  {
    name: 'web-bottom-knows-no-area',
    comment: 'web/ui and web/shared are what everything else stands on',
    severity: 'error',
    from: { path: '^src/web/(ui|shared)/', pathNot: TEST_FILES },
    to: { path: '^src/web/', pathNot: '^src/web/(ui|shared)/' },
  },
  {
    name: 'web-ui-stands-alone',
    comment:
      'web/ui is the design system: web/shared and everything above it stand on it, never the other way round',
    severity: 'error',
    from: { path: '^src/web/ui/', pathNot: TEST_FILES },
    to: { path: '^src/web/shared/' },
  },
  {
    name: 'web-areas-stand-alone',
    comment: 'areas of the web do not import each other; an entry puts them together',
    severity: 'error',
    from: { path: '^src/web/areas/([^/]+)/', pathNot: TEST_FILES },
    to: { path: '^src/web/areas/', pathNot: '^src/web/areas/$1/' },
  },
  {
    name: 'web-areas-know-no-entry',
    comment:
      'an entry puts areas together, never the other way round; web/kit has the parts that several areas share',
    severity: 'error',
    from: { path: '^src/web/areas/', pathNot: TEST_FILES },
    to: { path: '^src/web/entries/' },
  },
  {
    name: 'web-kit-knows-no-area',
    comment:
      'web/kit is what areas share: it stands on ui and shared, and knows neither an area nor an entry',
    severity: 'error',
    from: { path: '^src/web/kit/', pathNot: TEST_FILES },
    to: { path: '^src/web/', pathNot: '^src/web/(ui|shared|kit)/' },
  },
  {
    name: 'web-entries-stand-alone',
    comment: 'what one entry imports of another, its visitors would download',
    severity: 'error',
    from: { path: '^src/web/entries/([^/]+)/' },
    to: { path: '^src/web/entries/', pathNot: '^src/web/entries/$1/' },
  },
  {
    name: 'session-pages-are-downloaded-by-themselves',
    comment: 'visitors of the site download forms and their checks when they point at the login',
    severity: 'error',
    from: { path: '^src/web/entries/site/' },
    to: {
      path: '^src/web/entries/site/session-page[.]tsx$',
      dynamic: false,
      dependencyTypesNot: ['type-only'],
    },
  },
  {
    name: 'sandbox-only-through-its-loader',
    comment: 'only app/sandbox.ts imports the stand-ins of providers',
    severity: 'error',
    from: { path: '^src/', pathNot: [SANDBOX_LOADER, TEST_FILES] },
    to: { path: '^sandbox/' },
  },
  {
    name: 'sandbox-is-loaded-when-it-starts',
    comment: 'production never loads a stand-in, and its image has none',
    severity: 'error',
    from: { path: SANDBOX_LOADER },
    to: { path: '^sandbox/', dynamic: false, dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'product-knows-no-tooling',
    comment: 'what runs in production, and its sandbox, import no test, tool or benchmark',
    severity: 'error',
    from: { path: '^(src|sandbox)/', pathNot: [TEST_FILES, WEB_TEST_SUPPORT] },
    to: { path: ['^(tests|tools|e2e|bench)/', TEST_FILES, WEB_TEST_SUPPORT] },
  },
  {
    name: 'server-runs-without-dev-dependencies',
    comment: 'production installs with --omit=dev',
    severity: 'error',
    from: { path: '^src/(server|core|contract)/', pathNot: TEST_FILES },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'only-declared-packages',
    comment: 'a package that is not in package.json is there by luck',
    severity: 'error',
    from: { path: '^(src|sandbox)/' },
    to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  },
  {
    name: 'no-unresolved-import',
    comment: 'the file or package does not exist',
    severity: 'error',
    from: { path: '^(src|sandbox)/' },
    to: { couldNotResolve: true },
  },
  {
    name: 'no-cycles',
    comment: 'two files that need each other are one file, or miss a third',
    severity: 'error',
    from: { path: '^(src|sandbox)/' },
    to: { circular: true },
  },
]

export default {
  forbidden,
  options: {
    // TypeScript 7 has no JavaScript API: with any other parser 0 modules are cruised, and that passes.
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      // A package can have types only.
      mainFields: ['module', 'main', 'types'],
    },
  },
}
