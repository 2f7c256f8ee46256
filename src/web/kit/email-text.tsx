import { toReadableAddress } from '#web/shared/readable-address.ts'

/**
 * An email address as people read it. It breaks before its `@`, and elsewhere only where a part alone is too long for its line.
 */
export function EmailText({ email: stored }: { email: string }) {
  const email = toReadableAddress(stored)
  const at = email.lastIndexOf('@')
  return (
    <bdi dir="ltr" className="wrap-anywhere">
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </bdi>
  )
}
