import { connect } from 'node:tls'
import { SECOND_MS } from '#core/shared/duration.ts'
import type { JobDefinition } from '#server/platform/jobs/job-queue.ts'

export type CertificateJob = { readonly host: string }

/** Gets a certificate for a host that has just been verified. */
export const CERTIFICATE: JobDefinition<CertificateJob> = {
  name: 'hosts.get-certificate',
  // For about an hour: an authority may be slow, and the record of the name is new.
  retryLimit: 5,
  retryDelaySeconds: 60,
  retryDelayMaxSeconds: 1_800,
  expireSeconds: 180,
  keepSeconds: 24 * 60 * 60,
  workersPerProcess: 1,
}

/** The proxy that terminates TLS, as the product reaches it. */
export type TlsProxy = { readonly host: string; readonly port: number }

/** An authority answers within seconds, or within minutes when it checks from several places. */
const TIMEOUT_MS = 120 * SECOND_MS

/**
 * Makes one handshake for the host through the proxy. The proxy gets the certificate in it, so that no visitor waits for that.
 * Nothing is sent, and who issued the certificate does not matter here. @throws Error when there is no certificate
 */
export function getCertificate(
  { tlsProxy, timeoutMs = TIMEOUT_MS }: { readonly tlsProxy: TlsProxy | null; readonly timeoutMs?: number },
  { host }: CertificateJob,
): Promise<void> {
  if (tlsProxy === null) return Promise.resolve()
  return new Promise((resolve, reject) => {
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
