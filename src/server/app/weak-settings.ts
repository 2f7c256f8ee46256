import type { Log } from '#server/platform/log.ts'
import type { Config } from './config.ts'

/** Logs warnings about settings that are allowed but probably unintended. */
export function warnOfWeakSettings(
  { NODE_ENV, ROLE, BASE_URL, TRUST_PROXY }: Pick<Config, 'NODE_ENV' | 'ROLE' | 'BASE_URL' | 'TRUST_PROXY'>,
  log: Pick<Log, 'warn'>,
): void {
  if (NODE_ENV !== 'production' || ROLE === 'worker') return
  if (BASE_URL.startsWith('http:')) {
    log.warn({ BASE_URL }, 'passwords and sessions are sent unencrypted, as ALLOW_HTTP has it')
  } else if (TRUST_PROXY === 0) {
    log.warn(
      { TRUST_PROXY },
      'the address of visitors is not taken from a proxy: if there is one for https, all visitors count as one client',
    )
  }
}
