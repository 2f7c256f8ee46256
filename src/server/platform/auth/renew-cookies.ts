import { makeSignature } from 'better-auth/crypto'

/** A better-auth cookie: name, value, and a signature of 32 bytes in base64. */
const SIGNED = /^((?:__Secure-)?meridian\.\w+)=(.+)\.([A-Za-z\d+/]{43}=)$/

/**
 * Re-signs cookies that were signed with the previous key, because better-auth knows only the current key. Other
 * cookies are unchanged. The browser gets a cookie of the current key when its session is extended. Source: rule D16.
 */
export async function signWithCurrentKey(
  cookie: string,
  keys: { readonly current: string; readonly previous: string },
): Promise<string> {
  const pairs = cookie.split(/; */).map(async (pair) => {
    const [, name, value, signature] = SIGNED.exec(decode(pair)) ?? []
    if (name === undefined || value === undefined) return pair
    if (signature !== (await makeSignature(value, keys.previous))) return pair
    return `${name}=${encodeURIComponent(`${value}.${await makeSignature(value, keys.current)}`)}`
  })
  return (await Promise.all(pairs)).join('; ')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
