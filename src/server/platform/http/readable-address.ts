/**
 * An address whose path cannot be decoded, with its percent signs taken as they stand: it names nothing that exists,
 * and is then answered like every other unknown address.
 */
export function toReadableAddress(address: string): string {
  const [path = '', ...query] = address.split('?')
  try {
    decodeURIComponent(path)
    return address
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?')
  }
}
