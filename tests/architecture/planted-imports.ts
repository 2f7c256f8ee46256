import { AREAS } from './area-arrows.ts'
import type { FileContents } from './planted-tree.ts'

/** A file that breaks exactly one rule, and the name of the rule. */
export type PlantedImport = {
  readonly rule: string
  readonly file: string
  readonly text: string
  /** The second file of a violation that needs two files. */
  readonly partner?: FileContents
}

/** One violation per rule, and several where a rule has several parts. */
export const PLANTED_IMPORTS: readonly PlantedImport[] = [
  { rule: 'core-is-pure', file: 'src/core/a/framework.ts', text: `import 'react'` },
  { rule: 'core-is-pure', file: 'src/core/a/node.ts', text: `import { readFile } from 'node:fs'` },
  { rule: 'core-is-pure', file: 'src/core/a/zod.ts', text: `import type { z } from 'zod'` },
  { rule: 'core-is-pure', file: 'src/core/a/contract.ts', text: `import '#contract/fine.ts'` },
  { rule: 'contract-is-words', file: 'src/contract/server.ts', text: `import '#server/platform/db/fine.ts'` },
  { rule: 'contract-is-words', file: 'src/contract/fastify.ts', text: `import type { A } from 'fastify'` },
  {
    rule: 'web-knows-no-server',
    file: 'src/web/entries/app/page.tsx',
    text: `import '#server/ports/fine.ts'`,
  },
  { rule: 'server-knows-no-web', file: 'src/server/app/page.ts', text: `import '#web/shared/fine.ts'` },
  {
    rule: 'platform-knows-no-feature',
    file: 'src/server/platform/http/feature.ts',
    text: `import '#server/areas/plans/use-cases.ts'`,
  },
  {
    rule: 'platform-knows-no-feature',
    file: 'src/server/platform/http/adapter.ts',
    text: `import '#server/integrations/smtp/fine.ts'`,
  },
  {
    rule: 'integrations-know-no-feature',
    file: 'src/server/integrations/dns/feature.ts',
    text: `import type { A } from '#server/areas/plans/use-cases.ts'`,
  },
  {
    rule: 'integrations-stand-alone',
    file: 'src/server/integrations/dns/other.ts',
    text: `import '#server/integrations/smtp/fine.ts'`,
  },
  {
    rule: 'ports-are-domain-words',
    file: 'src/server/ports/http.ts',
    text: `import type { A } from 'fastify'`,
  },
  {
    rule: 'capabilities-use-ports',
    file: 'src/server/areas/plans/adapter.ts',
    text: `import '#server/integrations/smtp/fine.ts'`,
  },
  {
    rule: 'capabilities-use-ports',
    file: 'src/server/areas/plans/settings.ts',
    text: `import type { Config } from '#server/app/config.ts'`,
  },
  {
    rule: 'records-know-no-area',
    file: 'src/server/records/a/message.ts',
    text: `import '#server/messages/emails/fine.ts'`,
  },
  {
    rule: 'records-know-no-area',
    file: 'src/server/records/a/area.ts',
    text: `import '#server/areas/customers/fine.ts'`,
  },
  {
    rule: 'messages-know-records-only',
    file: 'src/server/messages/emails/area.ts',
    text: `import '#server/areas/customers/fine.ts'`,
  },
  ...AREAS.map((area) => ({
    rule: `areas-along-arrows-${area}`,
    file: `src/server/areas/${area}/elsewhere.ts`,
    // No area may import `customers`, so this import breaks the rule of every other area.
    text:
      area === 'customers'
        ? `import '#server/areas/plans/fine.ts'`
        : `import '#server/areas/customers/fine.ts'`,
  })),
  {
    rule: 'sql-only-in-repositories',
    file: 'src/server/areas/plans/routes.ts',
    text: `import { sql } from 'kysely'`,
  },
  {
    rule: 'vendor-database-driver-only-in-its-adapter',
    file: 'src/server/areas/plans/pool.ts',
    text: `import pg from 'pg'`,
  },
  {
    rule: 'vendor-database-driver-only-in-its-adapter',
    file: 'src/server/platform/jobs/embedded.ts',
    text: `export const open = () => import('@electric-sql/pglite')`,
  },
  {
    rule: 'vendor-better-auth-only-in-its-adapter',
    file: 'src/server/app/auth.ts',
    text: `import 'better-auth/plugins'`,
  },
  {
    rule: 'vendor-pg-boss-only-in-its-adapter',
    file: 'src/server/areas/plans/jobs.ts',
    text: `import 'pg-boss'`,
  },
  {
    rule: 'vendor-nodemailer-only-in-its-adapter',
    file: 'src/server/app/mail.ts',
    text: `import 'nodemailer'`,
  },
  {
    rule: 'vendor-stripe-only-in-its-adapter',
    file: 'src/server/areas/plans/pay.ts',
    text: `import 'stripe'`,
  },
  {
    rule: 'vendor-google-only-in-its-adapter',
    file: 'src/server/areas/plans/google.ts',
    text: `import '@googleapis/calendar'`,
  },
  {
    rule: 'vendor-microsoft-only-in-its-adapter',
    file: 'src/server/areas/plans/outlook.ts',
    text: `import type { Event } from '@microsoft/microsoft-graph-types'; export type Kept = Event`,
  },
  {
    rule: 'vendor-openid-client-only-in-its-adapter',
    file: 'src/server/integrations/smtp/tokens.ts',
    text: `import 'openid-client'`,
  },
  {
    rule: 'vendor-tldts-only-in-its-adapter',
    file: 'src/server/areas/plans/suffix.ts',
    text: `import 'tldts'`,
  },
  {
    rule: 'vendor-sax-only-in-its-adapter',
    file: 'src/server/areas/plans/dav.ts',
    text: `import 'sax'`,
  },
  {
    rule: 'vendor-look-only-in-its-adapter',
    file: 'src/server/areas/plans/picture.ts',
    text: `import 'sharp'`,
  },
  {
    rule: 'vendor-icalendar-only-in-its-adapter',
    file: 'src/server/integrations/smtp/events.ts',
    text: `import 'ical.js'`,
  },
  {
    rule: 'vendor-phone-numbers-only-in-its-adapter',
    file: 'src/server/areas/plans/phone.ts',
    text: `import 'libphonenumber-js'`,
  },
  {
    rule: 'vendor-undici-only-in-its-adapter',
    file: 'src/server/integrations/smtp/fetch.ts',
    text: `import 'undici'`,
  },
  {
    rule: 'vendor-tldts-only-in-its-adapter',
    file: 'src/server/areas/plans/suffix.ts',
    text: `import 'tldts'`,
  },
  {
    rule: 'web-bottom-knows-no-area',
    file: 'src/web/ui/field.tsx',
    text: `import '#web/areas/a/fine.tsx'`,
  },
  {
    rule: 'web-bottom-knows-no-area',
    file: 'src/web/shared/start.ts',
    text: `import '#web/entries/app/fine.tsx'`,
  },
  {
    rule: 'web-bottom-knows-no-area',
    file: 'src/web/shared/form.ts',
    text: `import '#web/kit/fine.ts'`,
  },
  {
    rule: 'web-ui-stands-alone',
    file: 'src/web/ui/price.tsx',
    text: `import '#web/shared/fine.ts'`,
  },
  {
    rule: 'web-areas-stand-alone',
    file: 'src/web/areas/b/other.tsx',
    text: `import '#web/areas/a/fine.tsx'`,
  },
  {
    rule: 'web-areas-know-no-entry',
    file: 'src/web/areas/b/entry.tsx',
    text: `import '#web/entries/app/fine.tsx'`,
  },
  {
    rule: 'web-kit-knows-no-area',
    file: 'src/web/kit/feature.tsx',
    text: `import '#web/areas/a/fine.tsx'`,
  },
  { rule: 'web-kit-knows-no-area', file: 'src/web/kit/entry.ts', text: `import '#web/entries/app/fine.tsx'` },
  {
    rule: 'web-entries-stand-alone',
    file: 'src/web/entries/booking/other.tsx',
    text: `import '#web/entries/app/fine.tsx'`,
  },
  {
    rule: 'web-entries-stand-alone',
    file: 'src/web/entries/site/later.tsx',
    text: `export const load = () => import('#web/entries/app/fine.tsx')`,
  },
  {
    rule: 'session-pages-are-downloaded-by-themselves',
    file: 'src/web/entries/site/at-once.tsx',
    text: `import './session-page.tsx'`,
  },
  {
    rule: 'sandbox-only-through-its-loader',
    file: 'src/server/app/stand-in.ts',
    text: `export const load = () => import('#sandbox/fine.ts')`,
  },
  {
    rule: 'sandbox-only-through-its-loader',
    file: 'src/server/areas/plans/stand-in.ts',
    text: `import type { A } from '#sandbox/fine.ts'; export type Kept = A`,
  },
  {
    rule: 'sandbox-is-loaded-when-it-starts',
    file: 'src/server/app/sandbox.ts',
    text: `import '#sandbox/fine.ts'`,
  },
  { rule: 'product-knows-no-tooling', file: 'sandbox/tool.ts', text: `import '#tools/fine.ts'` },
  { rule: 'product-knows-no-tooling', file: 'src/server/app/tool.ts', text: `import '#tools/fine.ts'` },
  {
    rule: 'product-knows-no-tooling',
    file: 'src/web/entries/app/fixture.ts',
    text: `import '#tests/fine.ts'`,
  },
  {
    rule: 'product-knows-no-tooling',
    file: 'src/web/areas/b/record.tsx',
    text: `import '#web/testing/fine.ts'`,
  },
  {
    rule: 'product-knows-no-tooling',
    file: 'src/web/entries/app/opened.tsx',
    text: `import './testing/fine.tsx'`,
  },
  { rule: 'product-knows-no-tooling', file: 'src/server/app/borrowed.ts', text: `import './fine.test.ts'` },
  {
    rule: 'server-runs-without-dev-dependencies',
    file: 'src/server/app/dev-only.ts',
    text: `import 'mailparser'`,
  },
  { rule: 'only-declared-packages', file: 'src/web/entries/app/undeclared.ts', text: `import 'left-behind'` },
  { rule: 'no-unresolved-import', file: 'src/web/entries/app/typo.ts', text: `import './no-such-file.ts'` },
  {
    rule: 'no-cycles',
    file: 'src/server/app/egg.ts',
    text: `import type { A } from './hen.ts'`,
    partner: { 'src/server/app/hen.ts': `export type { A } from './egg.ts'` },
  },
]

/** Imports that the rules allow, to show that no rule forbids more than it should. */
export const ALLOWED_IMPORTS: FileContents = {
  'src/core/a/fine.ts': `import 'temporal-polyfill'`,
  'src/core/a/fine.test.ts': `import 'fast-check'; import './fine.ts'; import '#tests/fine.ts'`,
  'src/contract/fine.ts': `import 'zod'; import '#core/a/fine.ts'`,
  'src/server/main.ts': `import './app/fine.ts'`,
  'src/server/app/config.ts': `import 'zod'`,
  'src/server/app/fine.ts': `import '../integrations/smtp/fine.ts'; import '../areas/plans/fine.ts'`,
  'src/server/app/fine.test.ts': `import './fine.ts'; import 'mailparser'`,
  'src/server/platform/auth/fine.ts': `import 'better-auth'; import 'fastify'`,
  'src/server/platform/db/fine.ts': `import 'pg'; import 'kysely'; import('@electric-sql/pglite')`,
  'src/server/platform/jobs/fine.ts': `import 'pg-boss'; import '../db/fine.ts'`,
  'src/server/ports/fine.ts': `import 'temporal-polyfill'; import '#contract/fine.ts'`,
  'src/server/integrations/microsoft/fine.ts': `import '../oauth/fine.ts'; import '../icalendar/fine.ts'`,
  'src/server/integrations/google/fine.ts': `import '@googleapis/calendar'; import '../oauth/fine.ts'`,
  'src/server/integrations/caldav/fine.ts': `import 'sax'; import '../icalendar/fine.ts'`,
  'src/server/integrations/icalendar/fine.ts': `import 'ical.js'`,
  'src/server/integrations/dns/fine.ts': `import 'tldts'`,
  'src/server/platform/http/fine.ts': `import 'undici'`,
  'src/server/platform/phone-numbers/fine.ts': `import 'libphonenumber-js'`,
  'src/server/integrations/oauth/fine.ts': `import 'openid-client'`,
  'src/server/integrations/smtp/fine.ts': `import 'nodemailer'; import '#server/ports/fine.ts'`,
  'src/server/integrations/smtp/sandbox-repository.ts': `import 'kysely'`,
  'src/server/areas/plans/fine.ts': `import './use-cases.ts'; import '#server/messages/emails/fine.ts'`,
  'src/server/areas/plans/use-cases.ts': `import '#server/ports/fine.ts'; import '#core/a/fine.ts'`,
  'src/server/areas/customers/fine.ts': `import '../appointments/bookings/fine.ts'; import '#server/records/a/fine.ts'`,
  'src/server/areas/appointments/bookings/fine.ts': `import './state-repository.ts'`,
  'src/server/areas/appointments/bookings/state-repository.ts': `import 'kysely'`,
  'src/server/records/a/fine.ts': `import './repository.ts'`,
  'src/server/records/a/repository.ts': `import 'kysely'; import '#server/platform/db/fine.ts'`,
  'src/server/messages/emails/fine.ts': `import '#server/records/a/fine.ts'`,
  'src/web/entries/app/fine.tsx': `import '../../areas/a/fine.tsx'; import '#web/kit/fine.ts'`,
  'src/web/entries/app/testing/fine.tsx': `import '../fine.tsx'; import '#web/testing/fine.ts'`,
  'src/web/kit/fine.ts': `import '#web/shared/fine.ts'; import '#web/ui/fine.tsx'`,
  'src/web/testing/fine.ts': `import '#web/areas/a/fine.tsx'; import '#tests/fine.ts'`,
  'src/web/entries/site/fine.tsx': `import('./session-page.tsx'); import type { A } from './session-page.tsx'`,
  'src/web/entries/site/session-page.tsx': `import '../../areas/a/fine.tsx'`,
  'src/web/areas/a/fine.tsx': `import 'react'; import '#web/kit/fine.ts'; import '#contract/fine.ts'`,
  'src/web/shared/fine.ts': `import '#web/ui/fine.tsx'; import '#core/a/fine.ts'`,
  'src/web/ui/fine.tsx': `import 'react'`,
  'sandbox/fine.ts': `import '#server/platform/db/fine.ts'; import 'kysely'; import 'stripe'`,
  'tests/fine.ts': 'export {}',
  'tools/fine.ts': 'export {}',
}

/** Names of empty packages to install; `left-behind` is installed but not declared. */
export const EMPTY_PACKAGES: readonly string[] = [
  '@electric-sql/pglite',
  '@googleapis/calendar',
  '@microsoft/microsoft-graph-types',
  'better-auth',
  'fast-check',
  'fastify',
  'ical.js',
  'kysely',
  'left-behind',
  'mailparser',
  'nodemailer',
  'openid-client',
  'pg',
  'pg-boss',
  'react',
  'sharp',
  'stripe',
  'temporal-polyfill',
  'tldts',
  'sax',
  'tldts',
  'libphonenumber-js',
  'undici',
  'zod',
]
