declare module 'punycode.js' {
  /** Decodes a domain from punycode to Unicode. @throws RangeError when a part of the domain cannot be decoded */
  export function toUnicode(domain: string): string
}
