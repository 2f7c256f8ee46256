/** Providers that ignore dots in the local part. Source: Gmail Help, "Dots don't matter in Gmail addresses". */
const DOTLESS = new Set(['gmail.com', 'googlemail.com'])

/**
 * Normalises an email address to its mailbox, for rate limits only: ignores case and the part after a plus sign (RFC
 * 5233), so nobody can reach one person under a hundred spellings. Never send email to the result.
 */
export function toMailboxName(address: string): string {
  const at = address.lastIndexOf('@')
  const local = address.slice(0, at).trim().toLowerCase()
  const host = address
    .slice(at + 1)
    .trim()
    .toLowerCase()
  // A leading plus sign belongs to the name.
  const [base] = local.slice(1).split('+')
  const name = local.slice(0, 1) + (base ?? '')
  return `${DOTLESS.has(host) ? name.replaceAll('.', '') : name}@${host === 'googlemail.com' ? 'gmail.com' : host}`
}
