/** `example.org/book/dr-grey`: the part of an address that people read aloud. */
export function withoutScheme(url: string): string {
  return url.replace(/^https?:\/\//, '')
}
