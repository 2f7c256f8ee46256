import { useState } from 'react'
import type { Calendar } from '#contract/calendars/calendars.ts'
import { CopyButton } from '#web/kit/copy-button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { RadioGroup } from '#web/ui/radio-group.tsx'
import { EmbedSitesForm } from './embed-sites-form.tsx'

const FORMS: readonly { value: EmbedForm; label: string; hint: string }[] = [
  { value: 'inline', label: 'In the page', hint: 'The booking page is part of your page.' },
  { value: 'button', label: 'Button', hint: 'A button opens the booking page in a window over your page.' },
  { value: 'float', label: 'Floating button', hint: 'The button stays in the corner while visitors scroll.' },
]

type EmbedDialogProps = { calendar: Calendar; open: boolean; onOpenChange: (open: boolean) => void }

/**
 * Shows the code that embeds the booking page in a website, with a preview, and lets the owner choose the allowed websites.
 * Source: rules W18 and W19.
 */
export function EmbedDialog({ calendar, open, onOpenChange }: EmbedDialogProps) {
  const [form, setForm] = useState<EmbedForm>('inline')
  const { slug, color } = calendar
  const snippet = toEmbedSnippet({ form, origin: location.origin, slug, color })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Add to your website"
      description="Customers book without leaving your website. They pay on the payment provider’s page."
    >
      <div className="flex flex-col gap-6">
        <RadioGroup legend="How to show it" options={FORMS} value={form} onChange={setForm} />
        <section aria-label="Code for your website" className="flex flex-col items-start gap-3">
          <pre className="w-full overflow-x-auto rounded-control border border-line bg-sunken p-3 text-sm whitespace-pre-wrap wrap-anywhere">
            <code>{snippet}</code>
          </pre>
          <CopyButton text={snippet} label="Copy code" done="Copied to clipboard!">
            Copy code
          </CopyButton>
        </section>
        <section aria-label="Preview" className="flex flex-col gap-2">
          <p className="text-sm text-ink-soft">
            This is your real booking page on an empty page. On your website, it’s light or dark like the page
            around it.
          </p>
          <iframe
            key={form}
            title="Preview of the embedded booking page"
            srcDoc={`<!doctype html><meta name="viewport" content="width=device-width"><title>Preview</title>${snippet}`}
            className="h-112 w-full rounded-control border border-line-strong bg-white scheme-light"
          />
        </section>
        <EmbedSitesForm calendar={calendar} />
      </div>
    </Dialog>
  )
}

/** The ways to show the booking page in a website (rule W18). */
type EmbedForm = 'inline' | 'button' | 'float'

type Embedded = {
  readonly form: EmbedForm
  /** The origin of this installation. */
  readonly origin: string
  readonly slug: string
  /** The colour of the button, `#rrggbb`. */
  readonly color: string
}

/**
 * Returns the HTML that embeds the booking page. It uses the booking page's path on this installation, which works whatever other
 * addresses the calendar has.
 */
function toEmbedSnippet({ form, origin, slug, color }: Embedded): string {
  const look = form === 'inline' ? '' : ` data-color="${color}"`
  return [
    `<a href="${origin}/book/${slug}" data-meridian="${form}"${look}>Book an appointment</a>`,
    `<script src="${origin}/embed.js" async></script>`,
  ].join('\n')
}
