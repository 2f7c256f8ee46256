declare module 'punycode.js' {
  /** The letters that the A-labels of a domain stand for. @throws RangeError when one cannot be decoded */
  export function toUnicode(domain: string): string
}
