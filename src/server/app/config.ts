import { z } from 'zod'

/**
 * Every setting, from environment variables. Each has a default where a default is safe; production asks for the
 * rest. `.env.example` lists them for people.
 */
const LOOPBACK = new Set(['127.0.0.1', '::1', 'localhost'])

const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

const envSchema = z.object({
  NODE_ENV: z.enum(['development', 'production', 'test']).default('development'),
  ROLE: z.enum(['all', 'web', 'worker']).default('all'),
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535).default(3000),
  BASE_URL: z.url({ protocol: /^https?$/ }).optional(),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  DATABASE_POOL_SIZE: wholeNumber(1, 200).default(10),
  DATA_DIR: z.string().min(1).optional(),
  SECRET_KEY: z.string().min(32, 'needs at least 32 characters (try: openssl rand -base64 32)').optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.email().default('appointments@localhost.localdomain'),
  DEFAULT_PLAN: z.enum(['free', 'professional', 'business', 'enterprise']).default('free'),
  DEMO: flag.default(true),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).optional(),
  /** How many proxies in front are trusted to name the client's address. */
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  /** Whoever presents it (`Authorization: Bearer …`) may read `/metrics`; without it only loopback development may. */
  METRICS_TOKEN: z.string().min(16).optional(),
  SIGN_IN_ATTEMPTS_PER_MINUTE: wholeNumber(1, 10_000).default(10),
  PUBLIC_REQUESTS_PER_MINUTE: wholeNumber(1, 1_000_000).default(300),
})

type LogLevel = NonNullable<z.infer<typeof envSchema>['LOG_LEVEL']>

export type Config = Omit<z.infer<typeof envSchema>, 'BASE_URL' | 'DATA_DIR' | 'LOG_LEVEL'> & {
  readonly BASE_URL: string
  readonly DATA_DIR: string
  /** Every request in production; on a person's own terminal only what needs attention. */
  readonly LOG_LEVEL: LogLevel
  /** Sandboxes, the mailbox and demo data: outside production and on a loopback bind only. */
  readonly sandbox: boolean
}

/** All mistakes in the settings at once, each in a sentence. */
export class ConfigError extends Error {
  constructor(mistakes: readonly string[]) {
    super(['The settings need attention:', ...mistakes.map((mistake) => `  - ${mistake}`)].join('\n'))
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
  const mistakes = parsed.success
    ? productionMistakes(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
  if (!parsed.success || mistakes.length > 0) throw new ConfigError(mistakes)

  const settings = parsed.data
  const baseUrl = settings.BASE_URL ?? `http://localhost:${settings.PORT}`
  return {
    ...settings,
    BASE_URL: baseUrl.replace(/\/+$/, ''),
    DATA_DIR: settings.DATA_DIR ?? './data',
    LOG_LEVEL: settings.LOG_LEVEL ?? (settings.NODE_ENV === 'production' ? 'info' : 'warn'),
    sandbox: settings.NODE_ENV !== 'production' && LOOPBACK.has(settings.HOST),
  }
}

function productionMistakes(settings: z.infer<typeof envSchema>): string[] {
  const mistakes: string[] = []
  if (settings.NODE_ENV !== 'production') {
    if (!LOOPBACK.has(settings.HOST)) {
      mistakes.push(
        `HOST: listening on ${settings.HOST} needs NODE_ENV=production; only loopback is open otherwise`,
      )
    }
    return mistakes
  }
  if (settings.BASE_URL === undefined)
    mistakes.push('BASE_URL: production needs the public address, for links in mails')
  if (settings.DATABASE_URL === undefined && settings.DATA_DIR === undefined) {
    mistakes.push('DATABASE_URL: production needs it, or DATA_DIR to use the embedded database on purpose')
  }
  if (settings.SECRET_KEY === undefined) mistakes.push('SECRET_KEY: production needs one of its own')
  if (settings.SMTP_URL === undefined) mistakes.push('SMTP_URL: production needs a mail server')
  return mistakes
}
