import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { toAsciiAddress } from '#contract/international-names.ts'
import { LIMITS } from '#contract/limits.ts'
import type { Operator } from '#contract/page-data.ts'
import { parseBudgetAmounts } from '#core/abuse/budgets.ts'
import type { DomainTargets } from '#core/publishing/domain-records.ts'
import { LOOPBACK_NETWORKS, parseNetwork } from '#server/platform/http/reachable-networks.ts'
import { listDialableNumbers } from '#server/platform/phone-numbers/parse-phone.ts'
import {
  type BILLING_SETTINGS,
  type GOOGLE_SETTINGS,
  LOOPBACK,
  listRefused,
  type MICROSOFT_SETTINGS,
  type STRIPE_SETTINGS,
} from './refused-settings.ts'

function oneOf<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return z.enum(values, `needs to be one of: ${values.join(', ')}`)
}

function wholeNumber(min: number, max: number) {
  const error = `needs a whole number from ${min} to ${max}`
  return z.coerce.number(error).int(error).min(min, error).max(max, error)
}

function address(protocol: RegExp, example: string) {
  return z.url({ protocol, abort: true, error: `needs an address like ${example}` })
}

function startsWith(...prefixes: readonly string[]) {
  const isKey = (text: string) => prefixes.some((prefix) => text.startsWith(prefix)) && !/\s/.test(text)
  return z
    .string()
    .max(500)
    .refine(isKey, `needs to start with ${prefixes.join(' or ')}, without spaces`)
    .optional()
}

function text(max: number) {
  const error = `needs at most ${max} characters`
  return z.string().trim().max(max, error)
}

function singleLine(max: number) {
  return text(max).regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'needs a single line of text')
}

/** Something that was copied from a provider's console, and nothing around it. */
function copied() {
  return z.string().max(500).regex(/^\S+$/, 'needs to be without spaces').optional()
}

/** A host name in lower case, without a dot at its end. A port after it is left out: the one of BASE_URL counts. */
function hostName(example: string) {
  const isName = /^[a-z0-9-]+(\.[a-z0-9-]+)*\.?(:\d{1,5})?$/
  return z
    .string()
    .trim()
    .toLowerCase()
    .max(250)
    .regex(isName, `needs a host name like ${example}`)
    .transform((name) => name.replace(/\.?(:\d+)?$/, ''))
}

/** A list with commas, of which each part is checked. `mistake` follows the part that is wrong. */
function listOf(isValid: (part: string) => boolean, mistake: string) {
  return z
    .string()
    .max(2_000)
    .default('')
    .transform((given, context) => {
      const parts = given
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
      for (const part of parts.filter((part) => !isValid(part))) {
        context.addIssue({ code: 'custom', message: `${part} ${mistake}` })
      }
      return parts
    })
}

/** An IP address; with a port it is `192.0.2.53:5353` or `[2001:db8::53]:5353`. */
function isDnsServer(server: string): boolean {
  const [, inBrackets, plain] = /^(?:\[(.+)\]|([\d.]+)):\d{1,5}$/.exec(server) ?? []
  return isIP(inBrackets ?? plain ?? server) !== 0
}

const flag = oneOf('true', 'false').transform((text) => text === 'true')

/**
 * Every setting, from environment variables. Each has a default where a default is safe; production requires the rest.
 * `.env.example` lists them for people.
 */
const envSchema = z.object({
  NODE_ENV: oneOf('development', 'production', 'test').default('development'),
  ROLE: oneOf('all', 'web', 'worker').default('all'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  BASE_URL: address(/^https?$/, 'https://book.example.org')
    .refine((url) => !/[@\\]/.test(url), { error: 'needs an address without a user name', abort: true })
    .refine((url) => /^https?:\/\/[^/?#]+\/*$/i.test(url), 'needs an address without a path')
    .optional(),
  DATABASE_URL: address(/^postgres(ql)?$/, 'postgres://user:password@db.example.org/meridian').optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 200).default(10),
  DATA_DIR: z.string().min(1).optional(),
  SECRET_KEY: z.string().min(32, 'needs at least 32 characters (try: openssl rand -base64 32)').optional(),
  /** The key that SECRET_KEY replaces. Source: rule D15. */
  SECRET_KEY_PREVIOUS: z.string().min(1).optional(),
  SMTP_URL: address(/^smtps?$/, 'smtps://user:password@mail.example.org').optional(),
  MAIL_FROM: z.string().overwrite(toAsciiAddress).pipe(z.email('needs an email address')).optional(),
  /** Where servers report what they could not deliver; the sender unless the operator names another mailbox. */
  MAIL_BOUNCE_ADDRESS: z
    .string()
    .overwrite(toAsciiAddress)
    .pipe(z.email('needs an email address'))
    .optional(),
  /** Who runs this installation. The pages show it, and the contact form writes to its email address. */
  OPERATOR_NAME: singleLine(LIMITS.operatorName).optional(),
  /** Line breaks, `\n` or `;` between the lines. */
  OPERATOR_ADDRESS: text(LIMITS.operatorAddress).optional(),
  OPERATOR_EMAIL: z.string().overwrite(toAsciiAddress).pipe(z.email('needs an email address')).optional(),
  OPERATOR_PHONE: singleLine(LIMITS.phone).optional(),
  STRIPE_SECRET_KEY: startsWith('sk_', 'rk_'),
  STRIPE_CONNECT_CLIENT_ID: startsWith('ca_'),
  STRIPE_WEBHOOK_SECRET: startsWith('whsec_'),
  STRIPE_BILLING_WEBHOOK_SECRET: startsWith('whsec_'),
  STRIPE_PRICE_PROFESSIONAL: startsWith('price_'),
  STRIPE_PRICE_BUSINESS: startsWith('price_'),
  GOOGLE_CLIENT_ID: copied(),
  GOOGLE_CLIENT_SECRET: copied(),
  MICROSOFT_CLIENT_ID: copied(),
  MICROSOFT_CLIENT_SECRET: copied(),
  DEFAULT_PLAN: oneOf('free', 'professional', 'business', 'enterprise').optional(),
  DEMO: flag.default(true),
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').optional(),
  /** How many proxies in front are trusted to name the client's address. */
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  /** Production without TLS, on purpose: in a private network, for example. */
  ALLOW_HTTP: flag.default(false),
  /**
   * A request with this token (`Authorization: Bearer …`) may read `/metrics`. Without a token only loopback
   * development may.
   */
  METRICS_TOKEN: z.string().min(16, 'needs at least 16 characters').optional(),
  PUBLIC_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(300),
  /** Amounts of `core/abuse/budgets.ts` that differ here: `name=amount`, separated by commas. */
  BUDGETS: z
    .string()
    .max(5_000)
    .default('')
    .transform((given, context) => {
      const { amounts, mistakes } = parseBudgetAmounts(given)
      for (const message of mistakes) context.addIssue({ code: 'custom', message })
      return amounts
    }),
  /** Networks outside the internet into which addresses of owners may lead, as `10.1.0.0/16`, separated by commas. Source: rule G21. */
  ALLOWED_NETWORKS: listOf(
    (network) => parseNetwork(network) !== null,
    'is not a network; needs some like 10.1.0.0/16,fd00::/8',
  ),
  /** The name below which calendars get subdomains; a port is the one of BASE_URL. Source: rule I3. */
  SUBDOMAIN_HOST: hostName('pages.example.org').optional(),
  /** Where domains of owners point to. Source: rule I8. */
  CUSTOM_DOMAIN_CNAME: hostName('domains.example.org').optional(),
  CUSTOM_DOMAIN_IPS: listOf(
    (ip) => isIP(ip) !== 0,
    'is not an IP address; needs some like 192.0.2.10,2001:db8::10',
    // As the DNS answers, with whose letters they are compared.
  ).transform((ips) => ips.map((ip) => (isIP(ip) === 0 ? ip : ipaddr.parse(ip).toString()))),
  /** The DNS servers that are asked about domains of owners, each with a port where it is not 53. Source: rule I13. */
  DNS_SERVERS: listOf(isDnsServer, 'is not a DNS server; needs some like 192.0.2.53,192.0.2.54:5353'),
  /** Where a proxy asks for which names it may get certificates. Without a port nobody can ask. Source: rule J6. */
  ASK_HOST: z.string().min(1).default('127.0.0.1'),
  ASK_PORT: wholeNumber(0, 65_535).optional(),
  /** The proxy that terminates TLS, as this process reaches it: it is asked for a certificate once a domain is verified. Source: rule I16. */
  TLS_PROXY: z
    .string()
    .regex(/^[a-z0-9.-]+:\d{1,5}$/i, 'needs a host and a port like caddy:443')
    .transform((text) => {
      const [host = '', port = ''] = text.split(':')
      return { host, port: Number(port) }
    })
    .optional(),
  /** How far behind the event loop may be before new requests are told to come back, in milliseconds; 0: never. */
  OVERLOAD_DELAY_MS: wholeNumber(0, 600_000).default(5_000),
})

type LogLevel = NonNullable<z.infer<typeof envSchema>['LOG_LEVEL']>

/** The settings of a platform at Stripe: all of them, or none. */
type StripeKeys = { readonly secretKey: string; readonly clientId: string; readonly webhookSecret: string }

/** The settings for plans that are sold through Stripe: all of them, or none. */
type BillingKeys = {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly prices: { readonly professional: string; readonly business: string }
}

/** The settings of an app at a provider of calendars: both, or none. */
type AppKeys = { readonly clientId: string; readonly clientSecret: string }

/** What the installation has for addresses of calendars besides paths. */
type DomainConfig = {
  /** Null when there are no subdomains. */
  readonly subdomainHost: string | null
  /** Domains of owners are offered where there is a name or an address. */
  readonly targets: DomainTargets
  /** Empty: the stand-in where `sandbox` is true, else well-known public ones. */
  readonly dnsServers: readonly string[]
}

const OPERATOR_SETTINGS = ['OPERATOR_NAME', 'OPERATOR_ADDRESS', 'OPERATOR_EMAIL', 'OPERATOR_PHONE'] as const

type Settings = Omit<
  z.infer<typeof envSchema>,
  | (typeof STRIPE_SETTINGS)[number]
  | (typeof BILLING_SETTINGS)[number]
  | (typeof GOOGLE_SETTINGS)[number]
  | (typeof MICROSOFT_SETTINGS)[number]
  | (typeof OPERATOR_SETTINGS)[number]
>

export type Config = Omit<
  Settings,
  | 'ALLOWED_NETWORKS'
  | 'BASE_URL'
  | 'CUSTOM_DOMAIN_CNAME'
  | 'CUSTOM_DOMAIN_IPS'
  | 'DATA_DIR'
  | 'DEFAULT_PLAN'
  | 'DNS_SERVERS'
  | 'LOG_LEVEL'
  | 'MAIL_FROM'
  | 'SUBDOMAIN_HOST'
> & {
  readonly BASE_URL: string
  readonly DATA_DIR: string
  /** The plan of owners who bought none: the largest where none is for sale, unless the operator chooses. Source: rule S5. */
  readonly DEFAULT_PLAN: NonNullable<Settings['DEFAULT_PLAN']>
  /** The sender of mails; an address at the host of BASE_URL unless the operator names one. */
  readonly MAIL_FROM: string
  /** Every request in production; on a person's own terminal only what needs attention. */
  readonly LOG_LEVEL: LogLevel
  /** Sandboxes, the mailbox and demo data: outside production and on a loopback bind only. */
  readonly sandbox: boolean
  /** On a developer's machine also the machine itself, for a calendar server beside the product. */
  readonly allowedNetworks: readonly string[]
  readonly domains: DomainConfig
  /** Null when there is no Stripe, or only its stand-in because `sandbox` is true. */
  readonly stripe: StripeKeys | null
  /** Null when no plan is for sale, or only in the stand-in of Stripe because `sandbox` is true. */
  readonly billing: BillingKeys | null
  /** Null when there are no calendars of Google, or only its stand-in because `sandbox` is true. */
  readonly google: AppKeys | null
  /** The same for Microsoft 365. */
  readonly microsoft: AppKeys | null
  readonly operator: Operator
}

/** All mistakes in the settings at once, each in a sentence. */
export class ConfigError extends Error {
  /** Each names its setting before a colon. */
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(['The settings need attention:', ...mistakes.map((mistake) => `  - ${mistake}`)].join('\n'))
    this.mistakes = mistakes
    this.name = 'ConfigError'
  }
}

/**
 * Reads the settings from `env`. An empty variable counts as absent.
 * @throws ConfigError that names every mistake
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = envSchema.safeParse(present)
  const malformed = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const mistakes = [...malformed, ...listRefused(present)]
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes)

  const { STRIPE_SECRET_KEY, STRIPE_CONNECT_CLIENT_ID, STRIPE_WEBHOOK_SECRET, ...plans } = parsed.data
  const { STRIPE_BILLING_WEBHOOK_SECRET, STRIPE_PRICE_PROFESSIONAL, STRIPE_PRICE_BUSINESS, ...calendars } =
    plans
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, MICROSOFT_CLIENT_ID, MICROSOFT_CLIENT_SECRET, ...others } =
    calendars
  const { OPERATOR_NAME, OPERATOR_ADDRESS, OPERATOR_EMAIL, OPERATOR_PHONE, ALLOWED_NETWORKS, ...rest } =
    others
  const { SUBDOMAIN_HOST, CUSTOM_DOMAIN_CNAME, CUSTOM_DOMAIN_IPS, DNS_SERVERS, ...settings } = rest
  const sandbox = isSandbox(settings)
  const baseUrl = settings.BASE_URL ?? `http://localhost:${settings.PORT}`
  const billing = toBillingKeys({
    secretKey: STRIPE_SECRET_KEY,
    webhookSecret: STRIPE_BILLING_WEBHOOK_SECRET,
    professional: STRIPE_PRICE_PROFESSIONAL,
    business: STRIPE_PRICE_BUSINESS,
  })
  return {
    ...settings,
    // The address as browsers write it: what they say about the sending page is compared with it.
    BASE_URL: new URL(baseUrl).origin,
    DATA_DIR: settings.DATA_DIR ?? './data',
    DEFAULT_PLAN: toDefaultPlan(settings.DEFAULT_PLAN, billing, sandbox),
    MAIL_FROM: settings.MAIL_FROM ?? `appointments@${new URL(baseUrl).hostname}`,
    LOG_LEVEL: settings.LOG_LEVEL ?? (settings.NODE_ENV === 'production' ? 'info' : 'warn'),
    sandbox,
    allowedNetworks: sandbox ? [...LOOPBACK_NETWORKS, ...ALLOWED_NETWORKS] : ALLOWED_NETWORKS,
    domains: toDomainConfig({ SUBDOMAIN_HOST, CUSTOM_DOMAIN_CNAME, CUSTOM_DOMAIN_IPS, DNS_SERVERS }, sandbox),
    stripe:
      STRIPE_SECRET_KEY && STRIPE_CONNECT_CLIENT_ID && STRIPE_WEBHOOK_SECRET
        ? {
            secretKey: STRIPE_SECRET_KEY,
            clientId: STRIPE_CONNECT_CLIENT_ID,
            webhookSecret: STRIPE_WEBHOOK_SECRET,
          }
        : null,
    billing,
    google: toAppKeys(GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET),
    microsoft: toAppKeys(MICROSOFT_CLIENT_ID, MICROSOFT_CLIENT_SECRET),
    operator: {
      name: OPERATOR_NAME ?? null,
      address: toLines(OPERATOR_ADDRESS ?? ''),
      email: OPERATOR_EMAIL ?? null,
      phone: OPERATOR_PHONE ?? null,
      // The installation has no time zone that names its country.
      phone_numbers: listDialableNumbers(OPERATOR_PHONE, null),
    },
  }
}

/** The sandbox sells plans, too. Source: rule S5. */
function toDefaultPlan(
  given: Settings['DEFAULT_PLAN'],
  billing: BillingKeys | null,
  sandbox: boolean,
): Config['DEFAULT_PLAN'] {
  const isForSale = billing !== null || sandbox
  return given ?? (isForSale ? 'free' : 'enterprise')
}

function toDomainConfig(
  given: Pick<
    z.infer<typeof envSchema>,
    'SUBDOMAIN_HOST' | 'CUSTOM_DOMAIN_CNAME' | 'CUSTOM_DOMAIN_IPS' | 'DNS_SERVERS'
  >,
  sandbox: boolean,
): DomainConfig {
  const targets = { name: given.CUSTOM_DOMAIN_CNAME ?? null, addresses: given.CUSTOM_DOMAIN_IPS }
  const isGiven = targets.name !== null || targets.addresses.length > 0
  return {
    subdomainHost: given.SUBDOMAIN_HOST ?? (sandbox ? 'localhost' : null),
    targets: sandbox && !isGiven ? TRIAL_TARGETS : targets,
    dnsServers: given.DNS_SERVERS,
  }
}

/** On a machine to try things, this is what its own DNS page leads to. */
const TRIAL_TARGETS: DomainTargets = { name: 'pages.localhost', addresses: ['127.0.0.1'] }

function isSandbox({ NODE_ENV, HOST }: Pick<Settings, 'NODE_ENV' | 'HOST'>): boolean {
  return NODE_ENV !== 'production' && LOOPBACK.has(HOST)
}

function toBillingKeys(given: {
  readonly secretKey: string | undefined
  readonly webhookSecret: string | undefined
  readonly professional: string | undefined
  readonly business: string | undefined
}): BillingKeys | null {
  const { secretKey, webhookSecret, professional, business } = given
  return secretKey && webhookSecret && professional && business
    ? { secretKey, webhookSecret, prices: { professional, business } }
    : null
}

function toAppKeys(clientId: string | undefined, clientSecret: string | undefined): AppKeys | null {
  return clientId && clientSecret ? { clientId, clientSecret } : null
}

/** The lines of an address. In an environment file they are on one line. */
function toLines(address: string): string[] {
  const lines = address.split(/\\n|[\n;]/).map((line) => line.trim())
  return lines.filter((line) => line !== '')
}
