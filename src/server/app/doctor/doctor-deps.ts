import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { SECOND_MS } from '#core/shared/duration.ts'
import { toOAuthSettings as toGoogleOAuth } from '#server/integrations/google/google-settings.ts'
import { toOAuthSettings as toMicrosoftOAuth } from '#server/integrations/microsoft/microsoft-settings.ts'
import { checkAppKeys } from '#server/integrations/oauth/check-app-keys.ts'
import { logInToMailServer } from '#server/integrations/smtp/adapter.ts'
import { checkStripeKey } from '#server/integrations/stripe/stripe-client.ts'
import { openDatabase } from '#server/platform/db/database.ts'
import { askRunningProduct } from '../commands/command-listener.ts'
import { findingsSchema } from './finding.ts'
import type { DoctorDeps } from './run-doctor.ts'

/** Maximum wait for one response of an external service. */
const TIMEOUT_MS = 10 * SECOND_MS

/** Builds the real dependencies; tests use others. */
export function buildDoctorDeps(): DoctorDeps {
  const now = Date.now
  return {
    now,
    openDatabase: async ({ DATABASE_URL: url, DATA_DIR: dataDir }) => {
      // Do not open a database that does not exist: opening it would create an embedded database.
      if (url === undefined && !existsSync(join(dataDir, 'pgdata'))) {
        throw new Error(`there is none in ${dataDir}`)
      }
      return openDatabase({ url, dataDir, poolSize: 1, timeoutMs: TIMEOUT_MS })
    },
    askRunning: async (dataDir) =>
      findingsSchema.parse(await askRunningProduct(dataDir, ['doctor'], TIMEOUT_MS)),
    resolve: async (name) => (await lookup(name, { all: true })).map(({ address }) => address),
    readCertificateEnd,
    logInToMail: (url) => logInToMailServer(url, TIMEOUT_MS),
    checkStripeKey,
    checkGoogleApp: (app) => checkAppKeys(toGoogleOAuth({ ...app, now, timeoutMs: TIMEOUT_MS })),
    checkMicrosoftApp: (app) => checkAppKeys(toMicrosoftOAuth({ ...app, now, timeoutMs: TIMEOUT_MS })),
  }
}

/**
 * Returns the expiry of a host's certificate, in epoch milliseconds.
 * @throws Error when there is no connection, or the certificate is for another name or from an unknown authority
 */
export function readCertificateEnd(host: string, port: number, ca?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const trust = ca === undefined ? {} : { ca }
    // Leave the name out if it is an IP address, because the name in a TLS handshake must not be one (RFC 6066 §3).
    const name = isIP(host) === 0 ? { servername: host } : {}
    const socket = connect({ host, port, timeout: TIMEOUT_MS, ...name, ...trust }, () => {
      resolve(Date.parse(socket.getPeerCertificate().valid_to))
      socket.destroy()
    })
    socket.once('timeout', () => socket.destroy(new Error('no answer in time')))
    socket.once('error', reject)
  })
}
