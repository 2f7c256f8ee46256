import { useState } from 'react'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Download } from '#web/ui/icons/download.ts'

type BackupCodesProps = { codes: readonly string[]; onDone: () => void }

/**
 * Codes for a login without the phone. They are shown once, because the server keeps them encrypted, until the owner
 * confirms that they are saved. Source: rule U20.
 */
export function BackupCodes({ codes, onDone }: BackupCodesProps) {
  const [saved, setSaved] = useState(false)
  const text = codes.join('\n')
  return (
    <div className="flex flex-col gap-4">
      <p>
        Keep these codes in a safe place, not on your phone. Each of them works once instead of the code from
        your app.
        <strong> You will not see them again.</strong>
      </p>
      <ul
        aria-label="Backup codes"
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-control bg-sunken p-4 text-center font-mono text-base"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={text} label="Copy backup codes" done="Copied to clipboard!">
          Copy
        </CopyButton>
        <ButtonLink
          size="sm"
          download="meridian-backup-codes.txt"
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${text}\n`)}`}
        >
          <Download aria-hidden="true" className="size-4" />
          Download
        </ButtonLink>
      </div>
      <div className="flex flex-wrap items-center justify-between gap-4 border-t border-line pt-5">
        <Checkbox label="I have saved these codes" checked={saved} onChange={setSaved} />
        <Button variant="primary" className="ms-auto" disabled={!saved} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
