import { describe, expect, test } from 'vitest'
import { parseBudgetAmounts } from '#core/shared/budgets.ts'
import { GENEROUS_BUDGETS } from '#tests/support/generous-budgets.ts'
import { ConfigError, readConfig } from './config.ts'

const PRODUCTION = {
  NODE_ENV: 'production',
  HOST: '0.0.0.0',
  BASE_URL: 'https://book.example.org',
  DATABASE_URL: 'postgres://meridian:secret@db.example.org/meridian',
  SECRET_KEY: 'a key that is thirty-two characters',
  SMTP_URL: 'smtps://user:password@mail.example.org',
}

test('no setting is needed on one’s own machine', () => {
  expect(readConfig({})).toEqual({
    NODE_ENV: 'development',
    BUDGETS: parseBudgetAmounts('').amounts,
    ROLE: 'all',
    REGISTRATION: 'open',
    HOST: '127.0.0.1',
    ASK_HOST: '127.0.0.1',
    PORT: 3000,
    BASE_URL: 'http://localhost:3000',
    DATABASE_POOL_SIZE: 10,
    DATA_DIR: './data',
    MAIL_FROM: 'appointments@localhost',
    DEFAULT_PLAN: 'free',
    DEMO: true,
    LOG_LEVEL: 'warn',
    TRUST_PROXY: 0,
    ALLOW_HTTP: false,
    PUBLIC_REQUESTS_PER_MINUTE: 300,
    OVERLOAD_DELAY_MS: 5_000,
    sandbox: true,
    allowedNetworks: ['127.0.0.0/8', '::1/128'],
    domains: {
      subdomainHost: 'localhost',
      targets: { name: 'pages.localhost', addresses: ['127.0.0.1'] },
      dnsServers: [],
    },
    stripe: null,
    billing: null,
    google: null,
    microsoft: null,
    operator: { name: null, address: [], email: null, phone: null, phone_numbers: [] },
  })
})

test('addresses of owners lead into the internet, and into networks that the operator allows', () => {
  expect(readConfig(PRODUCTION).allowedNetworks).toEqual([])
  const env = { ...PRODUCTION, ALLOWED_NETWORKS: '192.168.20.0/24, fd12::/16,10.1.2.3' }
  expect(readConfig(env).allowedNetworks).toEqual(['192.168.20.0/24', 'fd12::/16', '10.1.2.3'])
  expect(() => readConfig({ ...PRODUCTION, ALLOWED_NETWORKS: '10.0.0.0/8,all' })).toThrow(
    'ALLOWED_NETWORKS: all is not a network; needs some like 10.1.0.0/16,fd00::/8',
  )
})

test('addresses and names of the installation are written as the DNS answers (rule I8)', () => {
  const env = {
    ...PRODUCTION,
    CUSTOM_DOMAIN_IPS: '2001:0DB8:0:0::0010, 192.0.2.10',
    CUSTOM_DOMAIN_CNAME: 'Domains.Example.org.',
    SUBDOMAIN_HOST: 'pages.example.org.:8443',
  }
  expect(readConfig(env).domains).toMatchObject({
    subdomainHost: 'pages.example.org',
    targets: { name: 'domains.example.org', addresses: ['2001:db8::10', '192.0.2.10'] },
  })
  expect(() => readConfig({ ...env, CUSTOM_DOMAIN_IPS: '2001:db8::g' })).toThrow(
    'CUSTOM_DOMAIN_IPS: 2001:db8::g is not an IP address',
  )
  expect(() => readConfig({ ...env, SUBDOMAIN_HOST: 'pages..' })).toThrow('SUBDOMAIN_HOST: needs a host name')
})

test('every mistake is told at once, each with its setting and in plain words', () => {
  const env = {
    NODE_ENV: 'production',
    ROLE: 'boss',
    PORT: 'http',
    BASE_URL: 'book.example.org',
    DATABASE_URL: 'mysql://db.example.org',
    DATABASE_POOL_SIZE: '0',
    SECRET_KEY: 'short',
    MAIL_FROM: 'nobody',
    MAIL_BOUNCE_ADDRESS: 'nowhere',
    DEMO: 'yes',
    TRUST_PROXY: '1.5',
    ALLOW_HTTP: 'yes',
    METRICS_TOKEN: 'short',
    OPERATOR_NAME: 'two\nlines',
    OPERATOR_ADDRESS: 'x'.repeat(501),
    OPERATOR_EMAIL: 'nobody',
    OPERATOR_PHONE: '0'.repeat(41),
    STRIPE_SECRET_KEY: 'pk_test_1',
    STRIPE_CONNECT_CLIENT_ID: 'ca_1 ',
    GOOGLE_CLIENT_ID: '1.apps.googleusercontent.com',
    MICROSOFT_CLIENT_SECRET: 'two words',
  }
  expect(mistakesOf(env)).toEqual([
    'ROLE: needs to be one of: all, web, worker',
    'PORT: needs a whole number from 0 to 65535',
    'BASE_URL: needs an address like https://book.example.org',
    'DATABASE_URL: needs an address like postgres://user:password@db.example.org/meridian',
    'DATABASE_POOL_SIZE: needs a whole number from 1 to 200',
    'SECRET_KEY: needs at least 32 characters (try: openssl rand -base64 32)',
    'MAIL_FROM: needs an email address',
    'MAIL_BOUNCE_ADDRESS: needs an email address',
    'OPERATOR_NAME: needs a single line of text',
    'OPERATOR_ADDRESS: needs at most 500 characters',
    'OPERATOR_EMAIL: needs an email address',
    'OPERATOR_PHONE: needs at most 40 characters',
    'STRIPE_SECRET_KEY: needs to start with sk_ or rk_, without spaces',
    'STRIPE_CONNECT_CLIENT_ID: needs to start with ca_, without spaces',
    'MICROSOFT_CLIENT_SECRET: needs to be without spaces',
    'DEMO: needs to be one of: true, false',
    'TRUST_PROXY: needs a whole number from 0 to 10',
    'ALLOW_HTTP: needs to be one of: true, false',
    'METRICS_TOKEN: needs at least 16 characters',
    'SMTP_URL: production needs a mail server',
    'STRIPE_WEBHOOK_SECRET: Stripe needs it beside its other settings',
    'GOOGLE_CLIENT_SECRET: Google needs it beside its other settings',
    'MICROSOFT_CLIENT_ID: Microsoft needs it beside its other settings',
  ])
})

test.each([';', '\\n', '\n'])('the lines of the operator’s address are divided by %j', (end) => {
  const OPERATOR_ADDRESS = ['12 Quay Street', ' Bath BA1 2AB', ''].join(end)
  expect(readConfig({ OPERATOR_ADDRESS }).operator.address).toEqual(['12 Quay Street', 'Bath BA1 2AB'])
})

test('an empty setting counts as absent', () => {
  expect(readConfig({ PORT: '', SMTP_URL: '', SECRET_KEY: '' })).toEqual(readConfig({}))
  expect(mistakesOf({ ...PRODUCTION, SECRET_KEY: '' })).toHaveLength(1)
})

test('with its three keys the installation is a platform at Stripe', () => {
  const env = {
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_CONNECT_CLIENT_ID: 'ca_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
  }
  expect(readConfig({ ...PRODUCTION, ...env })).toMatchObject({
    stripe: { secretKey: 'sk_live_1', clientId: 'ca_1', webhookSecret: 'whsec_1' },
  })
  expect(readConfig(PRODUCTION)).toMatchObject({ stripe: null })
})

const BILLING = {
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_BILLING_WEBHOOK_SECRET: 'whsec_2',
  STRIPE_PRICE_PROFESSIONAL: 'price_1',
  STRIPE_PRICE_BUSINESS: 'price_2',
}

test('with a key, a secret and two prices the installation sells plans, with or without the payments of owners', () => {
  const payments = { STRIPE_CONNECT_CLIENT_ID: 'ca_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
  const billing = {
    secretKey: 'sk_live_1',
    webhookSecret: 'whsec_2',
    prices: { professional: 'price_1', business: 'price_2' },
  }
  expect(readConfig({ ...PRODUCTION, ...BILLING })).toMatchObject({ billing, stripe: null })
  expect(readConfig({ ...PRODUCTION, ...BILLING, ...payments })).toMatchObject({
    billing,
    stripe: { clientId: 'ca_1' },
  })
  expect(readConfig(PRODUCTION)).toMatchObject({ billing: null })
})

test('half of what sells plans is refused, each missing setting in a sentence', () => {
  expect(mistakesOf({ STRIPE_PRICE_BUSINESS: 'price_2' })).toEqual([
    'STRIPE_SECRET_KEY: selling plans through Stripe needs it beside its other settings',
    'STRIPE_BILLING_WEBHOOK_SECRET: selling plans through Stripe needs it beside its other settings',
    'STRIPE_PRICE_PROFESSIONAL: selling plans through Stripe needs it beside its other settings',
  ])
  expect(mistakesOf({ STRIPE_PRICE_BUSINESS: 'prod_2', STRIPE_CONNECT_CLIENT_ID: 'ca_1' })).toEqual([
    'STRIPE_PRICE_BUSINESS: needs to start with price_, without spaces',
    'STRIPE_SECRET_KEY: Stripe needs it beside its other settings',
    'STRIPE_WEBHOOK_SECRET: Stripe needs it beside its other settings',
    'STRIPE_BILLING_WEBHOOK_SECRET: selling plans through Stripe needs it beside its other settings',
    'STRIPE_PRICE_PROFESSIONAL: selling plans through Stripe needs it beside its other settings',
  ])
  expect(mistakesOf({ STRIPE_SECRET_KEY: 'sk_live_1' })).toEqual([
    'STRIPE_CONNECT_CLIENT_ID: Stripe needs it beside its other settings',
    'STRIPE_WEBHOOK_SECRET: Stripe needs it beside its other settings',
  ])
})

test('one price for two plans, and one secret for two endpoints, are refused', () => {
  const payments = { STRIPE_CONNECT_CLIENT_ID: 'ca_1', STRIPE_WEBHOOK_SECRET: 'whsec_2' }
  expect(mistakesOf({ ...BILLING, ...payments, STRIPE_PRICE_BUSINESS: 'price_1' })).toEqual([
    'STRIPE_PRICE_BUSINESS: needs another price than STRIPE_PRICE_PROFESSIONAL',
    'STRIPE_BILLING_WEBHOOK_SECRET: needs the secret of an endpoint of its own, not STRIPE_WEBHOOK_SECRET',
  ])
})

test('with both keys of an app, owners connect their calendars there', () => {
  const env = { GOOGLE_CLIENT_ID: 'id', GOOGLE_CLIENT_SECRET: 'secret' }
  expect(readConfig({ ...PRODUCTION, ...env })).toMatchObject({
    google: { clientId: 'id', clientSecret: 'secret' },
    microsoft: null,
  })
})

describe('in production', () => {
  test('everything that has no safe default is asked for', () => {
    expect(mistakesOf({ NODE_ENV: 'production' })).toEqual([
      'BASE_URL: production needs the public address, for links in emails',
      'DATABASE_URL: production needs it, or DATA_DIR to use the embedded database on purpose',
      'SECRET_KEY: production needs one of its own',
      'SMTP_URL: production needs a mail server',
    ])
  })

  test.each(['http://book.example.org', 'http://localhost:3000', 'HTTP://book.example.org'])(
    'an address without TLS is refused unless that is confirmed: %s',
    (BASE_URL) => {
      const mistake =
        'BASE_URL: http sends passwords and sessions unencrypted; use https, or set ALLOW_HTTP=true to have it so'
      expect(mistakesOf({ ...PRODUCTION, BASE_URL })).toEqual([mistake])
      expect(mistakesOf({ ...PRODUCTION, BASE_URL, ALLOW_HTTP: 'false' })).toEqual([mistake])
      expect(readConfig({ ...PRODUCTION, BASE_URL, ALLOW_HTTP: 'true' })).toMatchObject({
        BASE_URL: new URL(BASE_URL).origin,
        sandbox: false,
      })
    },
  )

  test('there is no sandbox, not even on loopback', () => {
    expect(readConfig(PRODUCTION)).toMatchObject({ sandbox: false, LOG_LEVEL: 'info' })
    expect(readConfig({ ...PRODUCTION, HOST: '127.0.0.1' })).toMatchObject({ sandbox: false })
  })

  test('the embedded database may be used on purpose', () => {
    const { DATABASE_URL: _none, ...env } = PRODUCTION
    expect(readConfig({ ...env, DATA_DIR: '/var/lib/meridian' })).toMatchObject({
      DATA_DIR: '/var/lib/meridian',
    })
  })
})

test.each(['0.0.0.0', '::', '192.168.0.7', 'book.example.org'])(
  'outside production it does not listen on %s',
  (HOST) => {
    for (const NODE_ENV of ['development', 'test']) {
      expect(mistakesOf({ NODE_ENV, HOST })).toEqual([
        `HOST: listening on ${HOST} needs NODE_ENV=production; only loopback is open otherwise`,
      ])
    }
  },
)

test.each([
  'https://book.example.org',
  'http://192.168.0.7:3000',
  'http://0.0.0.0:3000',
  'http://localhost.example.org',
  'http://127.0.0.1.nip.io:3000',
  'http://book.localhost:3000',
])('outside production its address is not %s', (BASE_URL) => {
  for (const NODE_ENV of ['development', 'test']) {
    expect(mistakesOf({ NODE_ENV, BASE_URL })).toEqual([
      `BASE_URL: ${BASE_URL} needs NODE_ENV=production; without it only this machine may come in, as the demo account and the mailbox are open`,
    ])
  }
})

test.each(['http://localhost:3000', 'http://127.0.0.1', 'http://[::1]:3000', 'https://LOCALHOST:3443/'])(
  'outside production its address may be %s',
  (BASE_URL) => {
    expect(readConfig({ BASE_URL })).toMatchObject({ sandbox: true, BASE_URL: new URL(BASE_URL).origin })
  },
)

test('outside production there is no proxy in front', () => {
  for (const NODE_ENV of ['development', 'test']) {
    for (const TRUST_PROXY of ['1', '10']) {
      expect(mistakesOf({ NODE_ENV, TRUST_PROXY })).toEqual([
        'TRUST_PROXY: a proxy in front needs NODE_ENV=production; without it only this machine may come in, as the demo account and the mailbox are open',
      ])
    }
  }
})

test('every way in which it would be open outside production is told at once', () => {
  const env = { HOST: '::', BASE_URL: 'https://book.example.org', TRUST_PROXY: '1' }
  expect(mistakesOf(env).map((line) => line.split(':', 1)[0])).toEqual(['HOST', 'BASE_URL', 'TRUST_PROXY'])
})

test.each(['127.0.0.1', '::1', 'localhost'])('on %s there is a sandbox', (HOST) => {
  expect(readConfig({ HOST })).toMatchObject({ sandbox: true })
})

test('the address of the product has no path and no slash at its end', () => {
  expect(readConfig({ ...PRODUCTION, BASE_URL: 'https://book.example.org/' }).BASE_URL).toBe(
    'https://book.example.org',
  )
  for (const BASE_URL of ['https://example.org/book', 'https://example.org/?a=b', 'https://example.org/#a']) {
    expect(mistakesOf({ ...PRODUCTION, BASE_URL })).toEqual(['BASE_URL: needs an address without a path'])
  }
})

test('the address of the product is written as browsers write it', () => {
  const BASE_URL = 'https://Book.Example.org:443'
  expect(readConfig({ ...PRODUCTION, BASE_URL }).BASE_URL).toBe('https://book.example.org')
})

test.each([
  'https://localhost@example.org',
  'https://user:secret@example.org',
  'https://localhost\\@example.org',
])('the address of the product names nobody: %s', (BASE_URL) => {
  expect(mistakesOf({ ...PRODUCTION, BASE_URL })).toEqual(['BASE_URL: needs an address without a user name'])
})

test('without an address of its own the product is where it listens', () => {
  expect(readConfig({ PORT: '4000' }).BASE_URL).toBe('http://localhost:4000')
})

test.each(['web', 'worker'])(
  'in production a process that is only %s needs a database that others share',
  (ROLE) => {
    const { DATABASE_URL: _none, ...embedded } = PRODUCTION
    expect(mistakesOf({ ...embedded, DATA_DIR: './data', ROLE })).toEqual([
      `ROLE: a process that is only ${ROLE} needs DATABASE_URL, which the others share`,
    ])
    expect(readConfig({ ...PRODUCTION, ROLE }).ROLE).toBe(ROLE)
  },
)

test('mails come from the host of the public address unless the operator names a sender', () => {
  expect(readConfig(PRODUCTION).MAIL_FROM).toBe('appointments@book.example.org')
  expect(readConfig({ ...PRODUCTION, MAIL_FROM: 'desk@example.org' }).MAIL_FROM).toBe('desk@example.org')
})

function mistakesOf(env: Record<string, string>): string[] {
  try {
    readConfig(env)
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError)
    const [heading, ...lines] = String(error).split('\n')
    expect(heading).toBe('ConfigError: The settings need attention:')
    return lines.map((line) => line.replace(/^ {2}- /, ''))
  }
  return []
}

test('an unknown budget or a malformed amount is said before the product starts', () => {
  expect(() => readConfig({ BUDGETS: 'webhook_checks=5,nothing=3' })).toThrow(
    'BUDGETS: has no budget “nothing”',
  )
  expect(readConfig({ BUDGETS: 'webhook_checks=5' }).BUDGETS.webhook_checks).toBe(5)
  // The maximum length of the setting leaves room for every rate limit.
  expect(readConfig({ BUDGETS: GENEROUS_BUDGETS }).BUDGETS.waiting_offers_email).toBe(1_000_000)
})

test('where no plan is for sale, owners have the largest, unless the operator chooses', () => {
  expect(readConfig(PRODUCTION).DEFAULT_PLAN).toBe('enterprise')
  expect(readConfig({ ...PRODUCTION, DEFAULT_PLAN: 'free' }).DEFAULT_PLAN).toBe('free')
  const billing = {
    STRIPE_SECRET_KEY: 'sk_live_1',
    STRIPE_BILLING_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_PRICE_PROFESSIONAL: 'price_1',
    STRIPE_PRICE_BUSINESS: 'price_2',
  }
  expect(readConfig({ ...PRODUCTION, ...billing }).DEFAULT_PLAN).toBe('free')
  // The default plan is the free one, because the sandbox sells plans.
  expect(readConfig({}).DEFAULT_PLAN).toBe('free')
})
