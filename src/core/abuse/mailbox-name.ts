/** Providers that deliver to one mailbox wherever the dots are. Source: Gmail Help, "Dots don't matter in Gmail addresses". */
const DOTLESS = new Set(['gmail.com', 'googlemail.com'])

/**
 * The mailbox behind an address, for counting: case and the part after a plus sign do not matter (RFC 5233). So nobody
 * can write to one person under a hundred spellings. No email is sent to it.
 */
export function toMailboxName(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).trim().toLowerCase()
  const host = address
    .slice(at + 1)
    .trim()
    .toLowerCase()
  // A plus sign at the beginning is a part of the name.
  const [base] = local.slice(1).split('+')
  const name = local.slice(0, 1) + (base ?? '')
  return `${DOTLESS.has(host) ? name.replaceAll('.', '') : name}@${host === 'googlemail.com' ? 'gmail.com' : host}`
}
