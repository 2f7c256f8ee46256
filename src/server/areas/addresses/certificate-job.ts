import { setTimeout as pause } from 'node:timers/promises'
import { connect } from 'node:tls'
import { SECOND_MS } from '#core/shared/duration.ts'
import type { CertificateState } from '#server/platform/db/schema.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'
import type { AddressesDeps, DomainSetup, TlsProxy } from './deps.ts'
import { writeCertificate } from './host-repository.ts'

export type CertificateJob = { readonly host: string }

/**
 * Job that gets a certificate for a newly verified host. If these attempts fail, the job `domain-checks` tries again
 * later.
 */
export const CERTIFICATE_JOB: JobDefinition<CertificateJob> = {
  name: 'host-certificate',
  // Retries last about an hour: the certificate authority may be slow, and the DNS record is new.
  retryLimit: 9,
  retryDelaySeconds: 5,
  retryDelayMaxSeconds: 1_800,
  expireSeconds: 180,
  keepSeconds: 24 * 60 * 60,
  workersPerProcess: 1,
}

/** Maximum age of the cached hosts that a web process uses in a response (rule J4). */
const MEMORY_MS = SECOND_MS
/**
 * Maximum wait for a certificate. A certificate authority responds within seconds, or within minutes when it checks
 * from several places.
 */
const TIMEOUT_MS = 120 * SECOND_MS

/**
 * Returns the certificate state of a new host. Without a configured proxy, the operator is responsible for
 * certificates.
 */
export function toInitialCertificateState({ tlsProxy }: Pick<DomainSetup, 'tlsProxy'>): CertificateState {
  return tlsProxy === null ? 'ready' : 'pending'
}

/**
 * Requests the certificate of a host, and stores the result. Source: rule I16.
 * @throws Error when no certificate was obtained, so that the job is retried
 */
export async function requestAndStoreCertificate(
  { db, now, domains }: Pick<AddressesDeps, 'db' | 'now' | 'domains'>,
  { host }: CertificateJob,
): Promise<void> {
  try {
    if (domains.tlsProxy !== null) await requestCertificate(domains.tlsProxy, host)
  } catch (error) {
    await writeCertificate(db, { host, certificate: 'failed', at: new Date(now()) })
    throw error
  }
  await writeCertificate(db, { host, certificate: 'ready', at: new Date(now()) })
}

/**
 * Makes one TLS handshake for the host through the proxy, which makes the proxy obtain the certificate before the first
 * visitor. Sends no data, and does not check the issuer.
 * @throws Error when there is no certificate
 */
export async function requestCertificate(
  tlsProxy: TlsProxy,
  host: string,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  await pause(MEMORY_MS)
  await new Promise<void>((resolve, reject) => {
    const socket = connect({ ...tlsProxy, servername: host, rejectUnauthorized: false, timeout: timeoutMs })
    const end = (error?: Error) => {
      socket.destroy()
      if (error === undefined) resolve()
      else reject(error)
    }
    socket.once('secureConnect', () => end())
    socket.once('timeout', () =>
      end(new Error(`${tlsProxy.host}:${tlsProxy.port} did not answer for ${host}`)),
    )
    socket.once('error', end)
  })
}
