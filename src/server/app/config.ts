import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import type { Operator } from '#contract/pages/page-data.ts'
import { toAsciiEmailAddress } from '#contract/shared/international-names.ts'
import { LIMITS } from '#contract/shared/limits.ts'
import type { DomainTargets } from '#core/addresses/domain-records.ts'
import { parseBudgetAmounts } from '#core/shared/budgets.ts'
import { LOOPBACK_NETWORKS, parseNetwork } from '#server/platform/http/reachable-networks.ts'
import { listDialableNumbers } from '#server/platform/phone-numbers/parse-phone.ts'
import {
  type BILLING_SETTINGS,
  type GOOGLE_SETTINGS,
  LOOPBACK_HOSTS,
  listRefusedSettings,
  type MICROSOFT_SETTINGS,
  type STRIPE_SETTINGS,
} from './refused-settings.ts'

function enumSetting<const Values extends readonly [string, ...string[]]>(...values: Values) {
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

/** Schema of a value copied from a provider's console; rejects surrounding spaces. */
function copied() {
  return z.string().max(500).regex(/^\S+$/, 'needs to be without spaces').optional()
}

/**
 * Schema of a host name in lower case, without a trailing dot. Any port is dropped, because the port of BASE_URL
 * applies.
 */
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

/**
 * Schema of a comma-separated list whose parts are validated. The error message is the invalid part followed by
 * `mistake`.
 */
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

/** True for an IP address, optionally with a port: `192.0.2.53:5353` or `[2001:db8::53]:5353`. */
function isDnsServer(server: string): boolean {
  const [, inBrackets, plain] = /^(?:\[(.+)\]|([\d.]+)):\d{1,5}$/.exec(server) ?? []
  return isIP(inBrackets ?? plain ?? server) !== 0
}

const flag = enumSetting('true', 'false').transform((text) => text === 'true')

/**
 * All settings, from environment variables. A setting has a default if one is safe; production requires the others.
 * `.env.example` documents them.
 */
const envSchema = z.object({
  NODE_ENV: enumSetting('development', 'production', 'test').default('development'),
  ROLE: enumSetting('all', 'web', 'worker').default('all'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  BASE_URL: address(/^https?$/, 'https://book.example.org')
    .refine((url) => !/[@\\]/.test(url), { error: 'needs an address without a user name', abort: true })
    .refine((url) => /^https?:\/\/[^/?#]+\/*$/i.test(url), 'needs an address without a path')
    .optional(),
  DATABASE_URL: address(/^postgres(ql)?$/, 'postgres://user:password@db.example.org/meridian').optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 200).default(10),
  DATA_DIR: z.string().min(1).optional(),
  /** The folder of the nightly backups of the embedded database. Source: rule D20. */
  BACKUP_DIR: z.string().min(1).optional(),
  SECRET_KEY: z.string().min(32, 'needs at least 32 characters (try: openssl rand -base64 32)').optional(),
  /** The earlier key that SECRET_KEY replaces. Source: rule D15. */
  SECRET_KEY_PREVIOUS: z.string().min(1).optional(),
  SMTP_URL: address(/^smtps?$/, 'smtps://user:password@mail.example.org').optional(),
  MAIL_FROM: z.string().overwrite(toAsciiEmailAddress).pipe(z.email('needs an email address')).optional(),
  /** Email address for bounce messages; defaults to the sender. */
  MAIL_BOUNCE_ADDRESS: z
    .string()
    .overwrite(toAsciiEmailAddress)
    .pipe(z.email('needs an email address'))
    .optional(),
  /**
   * The operator of this installation. Pages show the name, and the contact form sends messages to the email address.
   */
  OPERATOR_NAME: singleLine(LIMITS.operatorName).optional(),
  /** The postal address. Its lines are separated by line breaks, `\n` or `;`. */
  OPERATOR_ADDRESS: text(LIMITS.operatorAddress).optional(),
  OPERATOR_EMAIL: z
    .string()
    .overwrite(toAsciiEmailAddress)
    .pipe(z.email('needs an email address'))
    .optional(),
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
  /** Who can create an account. Source: rule U35. */
  REGISTRATION: enumSetting('open', 'invited', 'closed').default('open'),
  DEFAULT_PLAN: enumSetting('free', 'professional', 'business', 'enterprise').optional(),
  DEMO: flag.default(true),
  LOG_LEVEL: enumSetting('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').optional(),
  /** Number of trusted proxies whose headers state the client's address. */
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  /** Allows production without TLS, for example in a private network. */
  ALLOW_HTTP: flag.default(false),
  /**
   * Token that allows reading `/metrics` (`Authorization: Bearer …`). Without a token, only development on loopback can
   * read it.
   */
  METRICS_TOKEN: z.string().min(16, 'needs at least 16 characters').optional(),
  PUBLIC_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(300),
  /** Changed rate limits of `core/shared/budgets.ts`, as `name=amount`, separated by commas. */
  BUDGETS: z
    .string()
    .max(5_000)
    .default('')
    .transform((given, context) => {
      const { amounts, mistakes } = parseBudgetAmounts(given)
      for (const message of mistakes) context.addIssue({ code: 'custom', message })
      return amounts
    }),
  /**
   * Private networks that owner-supplied URLs may reach, such as `10.1.0.0/16`, separated by commas. Source: rule G21.
   */
  ALLOWED_NETWORKS: listOf(
    (network) => parseNetwork(network) !== null,
    'is not a network; needs some like 10.1.0.0/16,fd00::/8',
  ),
  /** Parent domain of the calendars' subdomains. Their port is that of BASE_URL. Source: rule I3. */
  SUBDOMAIN_HOST: hostName('pages.example.org').optional(),
  /** The host name and IP addresses to which custom domains must point. Source: rule I8. */
  CUSTOM_DOMAIN_CNAME: hostName('domains.example.org').optional(),
  CUSTOM_DOMAIN_IPS: listOf(
    (ip) => isIP(ip) !== 0,
    'is not an IP address; needs some like 192.0.2.10,2001:db8::10',
    // Normalise the addresses to the form used in DNS responses, so that they can be compared.
  ).transform((ips) => ips.map((ip) => (isIP(ip) === 0 ? ip : ipaddr.parse(ip).toString()))),
  /** DNS servers that are queried about custom domains, each with a port if it is not 53. Source: rule I13. */
  DNS_SERVERS: listOf(isDnsServer, 'is not a DNS server; needs some like 192.0.2.53,192.0.2.54:5353'),
  /**
   * Address and port on which the product tells a TLS proxy which names it may request certificates for. Without a
   * port, this is turned off. Source: rule J6.
   */
  ASK_HOST: z.string().min(1).default('127.0.0.1'),
  ASK_PORT: wholeNumber(0, 65_535).optional(),
  /**
   * The proxy that terminates TLS, as reached from this process. Once a domain is verified, the product makes this
   * proxy obtain a certificate. Source: rule I16.
   */
  TLS_PROXY: z
    .string()
    .regex(/^[a-z0-9.-]+:\d{1,5}$/i, 'needs a host and a port like caddy:443')
    .transform((text) => {
      const [host = '', port = ''] = text.split(':')
      return { host, port: Number(port) }
    })
    .optional(),
  /** Event loop delay in milliseconds beyond which new requests are refused; 0 disables the check. */
  OVERLOAD_DELAY_MS: wholeNumber(0, 600_000).default(5_000),
})

type LogLevel = NonNullable<z.infer<typeof envSchema>['LOG_LEVEL']>

/** Settings of a Stripe platform; all of them are set, or none. */
type StripeKeys = { readonly secretKey: string; readonly clientId: string; readonly webhookSecret: string }

/** Settings for selling plans through Stripe; all of them are set, or none. */
type BillingKeys = {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly prices: { readonly professional: string; readonly business: string }
}

/** Settings of an app at a calendar provider; both are set, or none. */
type AppKeys = { readonly clientId: string; readonly clientSecret: string }

/** The kinds of calendar addresses that this installation offers in addition to paths. */
type DomainConfig = {
  /** Parent domain of the subdomains; null when the installation offers none. */
  readonly subdomainHost: string | null
  /** The targets of custom domains. They are offered when this contains a name or an IP address. */
  readonly targets: DomainTargets
  /**
   * DNS servers to query. If empty, the stand-in is used when `sandbox` is true, otherwise well-known public servers.
   */
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
  /**
   * The plan of owners without a purchased plan. It is the largest one if none is for sale, unless the operator chooses
   * another. Source: rule S5.
   */
  readonly DEFAULT_PLAN: NonNullable<Settings['DEFAULT_PLAN']>
  /** Sender of emails; defaults to an address at the host of BASE_URL. */
  readonly MAIL_FROM: string
  /** By default, every request is logged in production; in a terminal only warnings and errors are. */
  readonly LOG_LEVEL: LogLevel
  /** Enables stand-ins, the mailbox and demo data: outside production and on loopback only. */
  readonly sandbox: boolean
  /**
   * Private networks that owner-supplied URLs may reach. In development, they include this machine, for a calendar
   * server that runs next to the product.
   */
  readonly allowedNetworks: readonly string[]
  readonly domains: DomainConfig
  /** Stripe's keys; null without Stripe, and also null when `sandbox` provides its stand-in. */
  readonly stripe: StripeKeys | null
  /**
   * The keys for selling plans; null when no plans are for sale, and also null when `sandbox` provides the stand-in of
   * Stripe.
   */
  readonly billing: BillingKeys | null
  /** Google's keys; null without Google calendars, and also null when `sandbox` provides the stand-in. */
  readonly google: AppKeys | null
  /** Microsoft's keys; null without Microsoft 365 calendars, and also null when `sandbox` provides the stand-in. */
  readonly microsoft: AppKeys | null
  readonly operator: Operator
}

/** Reports all invalid settings at once, one sentence each. */
export class ConfigError extends Error {
  /** One sentence per invalid setting. Each begins with the setting's name and a colon. */
  readonly mistakes: readonly string[]

  constructor(mistakes: readonly string[]) {
    super(['The settings need attention:', ...mistakes.map((mistake) => `  - ${mistake}`)].join('\n'))
    this.mistakes = mistakes
    this.name = 'ConfigError'
  }
}

/**
 * Reads the settings from `env`. An empty variable counts as absent.
 * @throws ConfigError that lists every invalid setting
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const parsed = envSchema.safeParse(present)
  const malformed = parsed.success
    ? []
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  const mistakes = [...malformed, ...listRefusedSettings(present)]
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
    // Normalise the URL as browsers do, because it is compared with the Origin header.
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
      // Phone numbers need a country code, because the installation has no time zone that could determine its country.
      phone_numbers: listDialableNumbers(OPERATOR_PHONE, null),
    },
  }
}

/** Returns the default plan. The sandbox sells plans too. Source: rule S5. */
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

/** On a trial installation, the DNS stand-in resolves to these targets. */
const TRIAL_TARGETS: DomainTargets = { name: 'pages.localhost', addresses: ['127.0.0.1'] }

function isSandbox({ NODE_ENV, HOST }: Pick<Settings, 'NODE_ENV' | 'HOST'>): boolean {
  return NODE_ENV !== 'production' && LOOPBACK_HOSTS.has(HOST)
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

/** Splits a postal address into lines. Environment files have it on one line. */
function toLines(address: string): string[] {
  const lines = address.split(/\\n|[\n;]/).map((line) => line.trim())
  return lines.filter((line) => line !== '')
}
