import type { Config } from '../config.ts'
import { type Finding, toErrorMessage, toFailedFinding, toPassedFinding } from './finding.ts'

/**
 * External services for the checks. Each function throws when the service refuses or does not respond. Tests replace
 * them.
 */
export type ExternalServices = {
  /** Connects to the mail server and logs in without sending anything. */
  readonly logInToMail: (url: string) => Promise<void>
  readonly checkStripeKey: (secretKey: string) => Promise<void>
  readonly checkGoogleApp: (app: AppKeys) => Promise<void>
  readonly checkMicrosoftApp: (app: AppKeys) => Promise<void>
}

type AppKeys = { readonly clientId: string; readonly clientSecret: string }

/** Checks the mail server and the configured provider keys. */
export async function checkServices(config: Config, services: ExternalServices): Promise<Finding[]> {
  const { SMTP_URL: url, stripe, billing, google, microsoft } = config
  const stripeKey = stripe?.secretKey ?? billing?.secretKey
  const checks = [
    url !== undefined &&
      check({
        about: 'mail',
        what: 'the mail server lets Meridian in',
        ask: () => services.logInToMail(url),
        advice:
          'check SMTP_URL: the host, the port, the user name and the password; for a certificate that is not trusted, use the name that it is ' +
          'for, or give Node the authority that signed it (NODE_EXTRA_CA_CERTS)',
      }),
    stripeKey !== undefined &&
      check({
        about: 'keys',
        what: 'Stripe knows the key',
        ask: () => services.checkStripeKey(stripeKey),
        advice: 'copy STRIPE_SECRET_KEY again from the dashboard of Stripe',
      }),
    google !== null &&
      check({
        about: 'keys',
        what: 'Google knows the app',
        ask: () => services.checkGoogleApp(google),
        advice: 'copy GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET again from the Google Cloud console',
      }),
    microsoft !== null &&
      check({
        about: 'keys',
        what: 'Microsoft knows the app',
        ask: () => services.checkMicrosoftApp(microsoft),
        advice: 'copy MICROSOFT_CLIENT_ID again, and make a new secret if MICROSOFT_CLIENT_SECRET has ended',
      }),
  ]
  return Promise.all(checks.filter((asked) => asked !== false))
}

type Check = {
  readonly about: 'mail' | 'keys'
  readonly what: string
  readonly ask: () => Promise<void>
  /** Advice for the operator, appended to the problem. */
  readonly advice: string
}

async function check({ about, what, ask, advice }: Check): Promise<Finding> {
  try {
    await ask()
    return toPassedFinding(about, what)
  } catch (error) {
    return toFailedFinding(
      about,
      what,
      `It does not (${toErrorMessage(error).replace(/\.$/, '')}); ${advice}.`,
    )
  }
}
