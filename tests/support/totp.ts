import { createHmac } from 'node:crypto'

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** A code is valid for 30 seconds. */
const PERIOD_MS = 30_000

/** The six digits that an authenticator app shows at `nowMs`. Source: RFC 6238, RFC 4226 §5.3. */
export function totpAt(base32Secret: string, nowMs: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(nowMs / PERIOD_MS)))
  const digest = createHmac('sha1', fromBase32(base32Secret)).update(counter).digest()
  const offset = digest.readUInt8(digest.length - 1) & 15
  const code = (digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000
  return String(code).padStart(6, '0')
}

/** Returns six digits that the app shows neither around `nowMs` nor soon afterwards. */
export function wrongCodeAt(base32Secret: string, nowMs: number): string {
  const shown = [-60, -30, 0, 30, 60, 90].map((seconds) => totpAt(base32Secret, nowMs + seconds * 1_000))
  return ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find(
    (code) => !shown.includes(code),
  ) as string // at most six of the seven are shown
}

function fromBase32(text: string): Buffer {
  const bits = [...text].map((char) => BASE32.indexOf(char).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
