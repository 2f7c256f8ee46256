type Given = Readonly<Record<string, string | undefined>>

/** Hosts that only this machine can reach. */
export const LOOPBACK_HOSTS = new Set(['127.0.0.1', '::1', 'localhost'])
/** Settings for payments by owners' customers; all of them must be set, or none. */
export const STRIPE_SETTINGS = [
  'STRIPE_SECRET_KEY',
  'STRIPE_CONNECT_CLIENT_ID',
  'STRIPE_WEBHOOK_SECRET',
] as const
/**
 * Settings for selling plans; all of them must be set, or none. They use the same key as the payments. Source: rule S9.
 */
export const BILLING_SETTINGS = [
  'STRIPE_SECRET_KEY',
  'STRIPE_BILLING_WEBHOOK_SECRET',
  'STRIPE_PRICE_PROFESSIONAL',
  'STRIPE_PRICE_BUSINESS',
] as const
/** Settings of an app at a calendar provider; both must be set, or none. */
export const GOOGLE_SETTINGS = ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'] as const
export const MICROSOFT_SETTINGS = ['MICROSOFT_CLIENT_ID', 'MICROSOFT_CLIENT_SECRET'] as const
const OPEN_OTHERWISE =
  'needs NODE_ENV=production; without it only this machine may come in, as the demo account and the mailbox are open'

/**
 * Lists settings that are well-formed but not allowed, with one sentence each. This runs before defaults are applied,
 * so that they are reported together with malformed settings.
 */
export function listRefusedSettings(given: Given): string[] {
  const refused = given.NODE_ENV === 'production' ? listRefusedInProduction(given) : listOpenings(given)
  return [
    ...refused,
    ...listMissingOfStripe(given),
    ...listRepeatedValues(given),
    ...listBackupMistakes(given),
    ...listMissing(given, 'Google', GOOGLE_SETTINGS),
    ...listMissing(given, 'Microsoft', MICROSOFT_SETTINGS),
  ]
}

/** Lists settings outside production that would let other machines connect. */
function listOpenings(given: Given): string[] {
  const { HOST: host = '127.0.0.1', BASE_URL: baseUrl = '', TRUST_PROXY: proxies = '0' } = given
  const openings: string[] = []
  if (!LOOPBACK_HOSTS.has(host)) {
    openings.push(`HOST: listening on ${host} needs NODE_ENV=production; only loopback is open otherwise`)
  }
  if (URL.canParse(baseUrl) && !LOOPBACK_HOSTS.has(hostOf(baseUrl))) {
    openings.push(`BASE_URL: ${baseUrl} ${OPEN_OTHERWISE}`)
  }
  if (Number(proxies) > 0) openings.push(`TRUST_PROXY: a proxy in front ${OPEN_OTHERWISE}`)
  return openings
}

/** Strips the brackets from an IPv6 host. */
function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
}

function listRefusedInProduction(given: Given): string[] {
  const refused: string[] = []
  if (given.BASE_URL === undefined) {
    refused.push('BASE_URL: production needs the public address, for links in emails')
  } else if (/^http:/i.test(given.BASE_URL) && given.ALLOW_HTTP !== 'true') {
    refused.push(
      'BASE_URL: http sends passwords and sessions unencrypted; use https, or set ALLOW_HTTP=true to have it so',
    )
  }
  if (given.DATABASE_URL === undefined && given.DATA_DIR === undefined) {
    refused.push('DATABASE_URL: production needs it, or DATA_DIR to use the embedded database on purpose')
  }
  if (given.DATABASE_URL === undefined && (given.ROLE === 'web' || given.ROLE === 'worker')) {
    // The embedded database can be used by only one process, and a web process alone would queue emails that no worker
    // sends.
    refused.push(`ROLE: a process that is only ${given.ROLE} needs DATABASE_URL, which the others share`)
  }
  if (given.SECRET_KEY === undefined) refused.push('SECRET_KEY: production needs one of its own')
  if (given.SMTP_URL === undefined) refused.push('SMTP_URL: production needs a mail server')
  return refused
}

/**
 * Payments and plan sales share a key, so an installation may use only one of them. If only the key is set, the
 * settings for payments are reported as missing.
 */
function listMissingOfStripe(given: Given): string[] {
  const ofPayments = STRIPE_SETTINGS.filter((name) => name !== 'STRIPE_SECRET_KEY')
  const ofPlans = BILLING_SETTINGS.filter((name) => name !== 'STRIPE_SECRET_KEY')
  const isGiven = (name: string) => given[name] !== undefined
  const sellsPlans = ofPlans.some(isGiven)
  const takesPayments = ofPayments.some(isGiven) || !sellsPlans
  const missing = [
    ...(takesPayments ? listMissing(given, 'Stripe', STRIPE_SETTINGS) : []),
    ...(sellsPlans ? listMissing(given, 'selling plans through Stripe', BILLING_SETTINGS) : []),
  ]
  // Both groups of settings include the key; report it once.
  return missing.filter((sentence, index) => {
    const name = toName(sentence)
    return missing.findIndex((other) => toName(other) === name) === index
  })
}

function toName(sentence: string): string {
  return sentence.slice(0, sentence.indexOf(':'))
}

/** A server's backups are made where it runs, by its own tools. */
function listBackupMistakes({ BACKUP_DIR, DATABASE_URL }: Given): string[] {
  if (BACKUP_DIR === undefined || DATABASE_URL === undefined) return []
  return [
    'BACKUP_DIR: is for the embedded database; back a database server up with its own tools, or with npm run backup',
  ]
}

/** Lists settings that have the same value although their values must differ. */
function listRepeatedValues(given: Given): string[] {
  const repeated: string[] = []
  if (given.SECRET_KEY_PREVIOUS !== undefined && given.SECRET_KEY_PREVIOUS === given.SECRET_KEY) {
    repeated.push('SECRET_KEY_PREVIOUS: needs the key that SECRET_KEY replaces, not the same one')
  }
  if (
    given.STRIPE_PRICE_BUSINESS !== undefined &&
    given.STRIPE_PRICE_BUSINESS === given.STRIPE_PRICE_PROFESSIONAL
  ) {
    repeated.push('STRIPE_PRICE_BUSINESS: needs another price than STRIPE_PRICE_PROFESSIONAL')
  }
  if (
    given.STRIPE_BILLING_WEBHOOK_SECRET !== undefined &&
    given.STRIPE_BILLING_WEBHOOK_SECRET === given.STRIPE_WEBHOOK_SECRET
  ) {
    repeated.push(
      'STRIPE_BILLING_WEBHOOK_SECRET: needs the secret of an endpoint of its own, not STRIPE_WEBHOOK_SECRET',
    )
  }
  return repeated
}

/**
 * Lists missing settings of a group that must be set together: with one of them alone, owners could connect, but
 * nothing would work afterwards.
 */
function listMissing(given: Given, provider: string, names: readonly string[]): string[] {
  const missing = names.filter((name) => given[name] === undefined)
  return missing.length === names.length
    ? []
    : missing.map((name) => `${name}: ${provider} needs it beside its other settings`)
}
