import { toReadableEmailAddress } from '#web/shared/readable-address.ts'

/**
 * Shows an email address with its domain in readable form (not punycode). It breaks before the `@`, and elsewhere only if it
 * must.
 */
export function EmailText({ email: stored }: { email: string }) {
  const email = toReadableEmailAddress(stored)
  const at = email.lastIndexOf('@')
  return (
    <bdi dir="ltr" className="wrap-anywhere">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </bdi>
  )
}
