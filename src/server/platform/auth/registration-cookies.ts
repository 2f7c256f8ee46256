import { RETENTION_DAYS } from '#contract/shared/retention.ts'
import { DAY_SECONDS } from '#core/shared/duration.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'
import { readCookie } from './read-cookie.ts'

/**
 * Recognises the browser that made a registration. The cookie grants nothing without the link in the confirmation email.
 * A browser remembers its latest registration only. Source: rule U4.
 */
export type RegistrationCookies = {
  /** Returns the cookie for the browser that has just registered. */
  readonly issue: (registrationId: string) => string
  /** True when this browser made the registration. */
  readonly isFrom: (cookie: string | undefined, registrationId: string) => boolean
  /** Returns the cookie that makes the browser forget its registration. */
  readonly end: () => string
}

const PURPOSE = 'registering browser'

export function buildRegistrationCookies({
  signer,
  baseUrl,
}: {
  signer: Signer
  baseUrl: string
}): RegistrationCookies {
  const isSecure = baseUrl.startsWith('https:')
  const name = `${isSecure ? '__Secure-' : ''}meridian.registration`
  const attributes = [
    'Path=/api/auth',
    'HttpOnly',
    ...(isSecure ? ['Secure'] : []),
    // The page that the link opens sends the request, so the browser counts it as one of this site.
    'SameSite=Strict',
  ].join('; ')

  return {
    issue(registrationId) {
      const signature = signer.sign(registrationId, PURPOSE)
      return `${name}=${signature}; Max-Age=${RETENTION_DAYS.registration * DAY_SECONDS}; ${attributes}`
    },
    isFrom(cookie, registrationId) {
      const signature = readCookie(cookie, name)
      return signer.isGenuine(registrationId, signature, PURPOSE)
    },
    end: () => `${name}=; Max-Age=0; ${attributes}`,
  }
}
