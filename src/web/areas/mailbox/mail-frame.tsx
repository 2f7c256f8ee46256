import { useState } from 'react'
import { MAIL_FADE_CLASS } from '#web/kit/mail-frame-class.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Choice } from '#web/ui/choice.tsx'

const WIDTHS = [
  { value: 'narrow', label: 'Narrow' },
  { value: 'wide', label: 'Wide' },
] as const

type Width = (typeof WIDTHS)[number]['value']

/** As wide as a phone, and as the reading pane of a desktop client. */
const WIDTH_CLASSES: Record<Width, string> = { narrow: 'w-[375px]', wide: 'w-[640px]' }

/** The HTML of a mail in a frame without scripts and without an origin; its links open in a new tab. */
export function MailFrame({ subject, path }: { subject: string; path: string }) {
  const [width, setWidth] = useState<Width>('wide')
  return (
    <div className="flex flex-col items-start gap-4">
      <div className="max-md:hidden">
        <Choice legend="Width" options={WIDTHS} value={width} onChange={setWidth} />
      </div>
      <div className="max-w-full overflow-hidden rounded-control border border-line-strong bg-surface">
        <iframe
          title={`HTML of “${subject}”`}
          src={path}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          className={`block h-[64rem] max-w-full ${MAIL_FADE_CLASS} ${WIDTH_CLASSES[width]}`}
        />
      </div>
      <ButtonLink size="sm" href={path} target="_blank" rel="noopener">
        Open the email in a new tab
      </ButtonLink>
    </div>
  )
}
