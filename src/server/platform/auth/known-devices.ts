import { randomBytes } from 'node:crypto'
import { RETENTION_DAYS } from '#contract/shared/retention.ts'
import { DAY_SECONDS } from '#core/shared/duration.ts'
import type { Signer } from '#server/platform/secrets/signer.ts'
import { readCookie } from './read-cookie.ts'

/** A device, with a mark for each account that has logged in on it. Only the server can create marks. */
export type KnownDevice = { readonly id: string; readonly marks: readonly string[] }

/**
 * Recognises devices on which an account has logged in before. The cookie grants no access. Login attempts on a known
 * device have their own count, so that strangers cannot lock the owner out. Source: rule U27.
 */
export type KnownDevices = {
  /** Returns the device of a request; null when nobody has logged in on it. */
  readonly read: (cookie: string | undefined) => KnownDevice | null
  readonly knows: (device: KnownDevice | null, userId: string) => device is KnownDevice
  /** Returns the cookie for a device on which this account has just logged in. */
  readonly remember: (device: KnownDevice | null, userId: string) => string
  /** Returns the cookie for a device that is no longer known to this account. */
  readonly forget: (device: KnownDevice | null, userId: string) => string
}

const PURPOSE = 'known device'
/** Maximum number of accounts per device. Beyond it, the account with the oldest login is dropped. */
const MAX_MARKS = 5
/** Format of the cookie's value: 16 random bytes, then one signature per account. */
const FORMAT = new RegExp(`^[\\w-]{22}(?:\\.[\\w-]{43}){1,${MAX_MARKS}}$`)

export function buildKnownDevices({ signer, baseUrl }: { signer: Signer; baseUrl: string }): KnownDevices {
  const isSecure = baseUrl.startsWith('https:')
  const name = `${isSecure ? '__Secure-' : ''}meridian.known_device`
  const attributes = ['Path=/api', 'HttpOnly', ...(isSecure ? ['Secure'] : []), 'SameSite=Lax'].join('; ')
  const toCookie = (id: string, marks: readonly string[]) => {
    const value = marks.length === 0 ? '' : [id, ...marks.slice(0, MAX_MARKS)].join('.')
    const maxAge = marks.length === 0 ? 0 : RETENTION_DAYS.knownDevice * DAY_SECONDS
    return `${name}=${value}; Max-Age=${maxAge}; ${attributes}`
  }
  const textOf = (deviceId: string, userId: string) => `${deviceId} ${userId}`

  return {
    read(cookie) {
      const value = readCookie(cookie, name)
      if (!FORMAT.test(value)) return null
      const [id = '', ...marks] = value.split('.')
      return { id, marks }
    },
    knows(device, userId): device is KnownDevice {
      return device?.marks.some((mark) => signer.isGenuine(textOf(device.id, userId), mark, PURPOSE)) ?? false
    },
    remember(device, userId) {
      const id = device?.id ?? randomBytes(16).toString('base64url')
      const mark = signer.sign(textOf(id, userId), PURPOSE)
      return toCookie(id, [mark, ...(device?.marks.filter((other) => other !== mark) ?? [])])
    },
    forget(device, userId) {
      const { id, marks } = device ?? { id: '', marks: [] }
      return toCookie(
        id,
        marks.filter((mark) => !signer.isGenuine(textOf(id, userId), mark, PURPOSE)),
      )
    },
  }
}
