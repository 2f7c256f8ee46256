import { useEffect, useState } from 'react'
import type { Mail } from '#contract/mailbox.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { Download } from '#web/ui/icons/download.ts'

type Attachment = Mail['attachments'][number]

/** The files of a mail, to read and to download. */
export function MailAttachments({ attachments }: { attachments: readonly Attachment[] }) {
  if (attachments.length === 0) return <p className="text-ink-soft">Nothing is attached.</p>
  return (
    <ul className="flex flex-col gap-6">
      {attachments.map((attachment, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a mail never changes, and two files may share a name
        <li key={index} className="min-w-0">
          <div className="mb-2 flex flex-wrap items-center justify-between gap-3">
            <div className="min-w-0">
              <h3 className="font-semibold break-all">{attachment.filename}</h3>
              <p className="text-sm break-all text-ink-soft">{attachment.content_type}</p>
            </div>
            <DownloadLink attachment={attachment} />
          </div>
          <pre className="rounded-control bg-sunken p-3 font-mono text-sm break-all whitespace-pre-wrap">
            {attachment.content}
          </pre>
        </li>
      ))}
    </ul>
  )
}

function DownloadLink({ attachment }: { attachment: Attachment }) {
  const [href, setHref] = useState<string | undefined>(undefined)
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([attachment.content], { type: attachment.content_type }))
    setHref(url)
    return () => URL.revokeObjectURL(url)
  }, [attachment])
  return (
    <a href={href} download={attachment.filename} className={buttonClass({ size: 'sm' })}>
      <Download aria-hidden="true" className="size-4" />
      Download
    </a>
  )
}
