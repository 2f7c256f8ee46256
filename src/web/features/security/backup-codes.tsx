import Download from 'lucide-react/icons/download'
import { CopyButton } from '#web/app/kit/copy-button.tsx'
import { ButtonLink } from '#web/ui/button.tsx'

/** Codes that get in when the phone is not at hand. They are shown once: the server keeps them encrypted. */
export function BackupCodes({ codes }: { codes: readonly string[] }) {
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
    </div>
  )
}
